pragma solidity ^0.4.24;

// The purse of a sailing regatta: boats pay to enter, and the organiser takes
// the purse to the ceremony once the last race is over.
contract RegattaPurse {
    struct Boat {
        string name;
        uint256 paid;
        uint8 place;
    }

    address public organiser;
    uint256 public entryFee;
    uint256 public boatCount;
    bool public racing;
    mapping(address => Boat) private boats;

    event Entered(address indexed skipper, string name);
    event Placed(address indexed skipper, uint8 place);
    event PurseTaken(address indexed by, uint256 amount);

    modifier onlyOrganiser() {
        require(msg.sender == organiser);
        _;
    }

    function RegataPurse() public {
        organiser = msg.sender;
        entryFee = 20 szabo;
    }

    function enter(string name) public payable {
        require(!racing);
        require(msg.value > 0 && msg.value >= entryFee);
        require(boats[msg.sender].paid == 0);
        boats[msg.sender] = Boat(name, msg.value, 0);
        boatCount += 1;
        emit Entered(msg.sender, name);
    }

    function setRacing(bool on) public onlyOrganiser {
        racing = on;
    }

    function setPlace(address skipper, uint8 place) public onlyOrganiser {
        require(boats[skipper].paid > 0);
        boats[skipper].place = place;
        emit Placed(skipper, place);
    }

    function takePurse() public onlyOrganiser {
        uint256 amount = address(this).balance;
        require(amount > 0);
        msg.sender.transfer(amount); //~ ERROR ether-theft
        emit PurseTaken(msg.sender, amount);
    }

    function placeOf(address skipper) public view returns (uint8) {
        return boats[skipper].place;
    }

    function nameOf(address skipper) public view returns (string) {
        return boats[skipper].name;
    }
}
