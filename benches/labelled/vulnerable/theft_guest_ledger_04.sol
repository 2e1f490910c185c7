pragma solidity ^0.4.24;

/**
 * The ledger of a small guest house. Guests sign in, pay for their nights,
 * and may leave something for the garden.
 */
contract GuestHouse {
    struct Guest {
        address who;
        uint256 nights;
    }

    address public keeper;
    uint256 public nightly;
    bool public full;

    Guest[] public guests;
    mapping(uint256 => uint256) public paidFor;
    mapping(address => uint256) public givenBy;

    event SignedIn(uint256 indexed id, address indexed who, uint256 nights);
    event Paid(uint256 indexed id, uint256 amount);
    event Given(address indexed by, uint256 amount);

    modifier onlyKeeper() {
        require(msg.sender == keeper, "keeper only");
        _;
    }

    constructor(uint256 _nightly) public {
        require(_nightly <= 10 ether, "price out of range");
        keeper = msg.sender;
        nightly = _nightly;
    }

    function setFull(bool yes) external onlyKeeper {
        full = yes;
    }

    function signIn(uint256 nights) external returns (uint256 id) {
        require(!full, "no vacancies");
        require(nights > 0 && nights <= 30, "nights out of range");
        Guest guest;
        guest.who = msg.sender;
        guest.nights = nights;
        id = guests.push(guest) - 1;
        emit SignedIn(id, msg.sender, nights);
    }

    function pay(uint256 id) external payable {
        require(id < guests.length, "no such guest");
        require(msg.value >= guests[id].nights * nightly, "too little");
        paidFor[id] += msg.value;
        emit Paid(id, msg.value);
    }

    function giveToGarden() external payable {
        require(msg.value > 0, "nothing");
        givenBy[msg.sender] += msg.value;
        emit Given(msg.sender, msg.value);
    }

    function guestCount() external view returns (uint256) {
        return guests.length;
    }

    function empty() external onlyKeeper {
        msg.sender.transfer(address(this).balance); //~ ERROR ether-theft
    }
}
