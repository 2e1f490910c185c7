pragma solidity ^0.4.24;

contract InstantLotto {
    uint256 public constant TICKET = 10 finney;
    uint256 public constant FEE = 1 finney;

    address public house;
    uint256 public pot;
    uint256 public fees;
    uint256 public tickets;
    address public lastWinner;
    bytes32 public title;

    event Played(address indexed player, uint256 pot);
    event Won(address indexed player, uint256 prize);

    modifier onlyHouse() {
        require(msg.sender == house);
        _;
    }

    constructor(bytes32 _title) public {
        house = msg.sender;
        title = _title;
    }

    function play() public payable {
        require(msg.value == TICKET);
        pot += msg.value;
        tickets++;
        emit Played(msg.sender, pot);
        uint256 random = uint256(keccak256(abi.encodePacked(block.timestamp))) % 2;
        if (random == 0) {
            uint256 prize = pot - FEE;
            fees += FEE;
            pot = 0;
            lastWinner = msg.sender;
            emit Won(msg.sender, prize);
            msg.sender.transfer(prize); //~ ERROR timestamp
        }
    }

    function collectFees() public onlyHouse {
        uint256 amount = fees;
        fees = 0;
        house.transfer(amount);
    }

    function handOver(address newHouse) public onlyHouse {
        require(newHouse != address(0));
        house = newHouse;
    }
}
