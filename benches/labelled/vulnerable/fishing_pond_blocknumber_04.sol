pragma solidity ^0.4.24;

/// Anglers buy a cast; whoever catches the golden carp gets a prize.
contract FishingPond {
    uint256 public constant CAST_FEE = 10 finney;
    uint256 public constant PRIZE = 30 finney;

    enum Catch { Boot, Perch, Pike, Carp }

    address public warden;
    bool public closedSeason;

    mapping(address => uint256) public casts;
    mapping(address => mapping(uint8 => uint256)) public caught;

    event Caught(address indexed angler, Catch what);

    modifier onlyWarden() {
        require(msg.sender == warden, "not the warden");
        _;
    }

    constructor() public {
        warden = msg.sender;
    }

    function () public payable {}

    function setClosedSeason(bool value) public onlyWarden {
        closedSeason = value;
    }

    function castLine() public payable {
        require(!closedSeason, "closed season");
        require(msg.value == CAST_FEE, "ten finney a cast");
        casts[msg.sender] += 1;
        Catch what = _bite(msg.sender);
        caught[msg.sender][uint8(what)] += 1;
        emit Caught(msg.sender, what);
        if (what == Catch.Carp && address(this).balance >= PRIZE) {
            msg.sender.transfer(PRIZE); //~ ERROR block-number
        }
    }

    function _bite(address angler) private view returns (Catch) {
        bytes32 last = blockhash(block.number - 1);
        uint256 number = uint256(keccak256(abi.encodePacked(last, angler)));
        return Catch(number % 4);
    }

    function stockOf(address angler, uint8 what) public view returns (uint256) {
        return caught[angler][what];
    }

    function collect() public onlyWarden {
        warden.transfer(address(this).balance);
    }
}
