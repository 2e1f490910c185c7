pragma solidity ^0.5.0;

/// A dice game against the house: a six brings four times the stake.
contract TavernDice {
    uint256 public constant MIN_STAKE = 1 finney;
    uint256 public constant MAX_STAKE = 1 ether;

    address payable public innkeeper;
    bool public open = true;
    uint256 public rounds;

    mapping(address => uint256) public gamesOf;
    mapping(address => uint256) public winsOf;

    event Rolled(address indexed player, uint256 roll, uint256 stake);
    event Won(address indexed player, uint256 prize);

    modifier onlyInnkeeper() {
        require(msg.sender == innkeeper, "not the innkeeper");
        _;
    }

    constructor() public {
        innkeeper = msg.sender;
    }

    function () external payable {}

    function setOpen(bool value) external onlyInnkeeper {
        open = value;
    }

    function play() external payable {
        require(open, "the tavern is closed");
        require(msg.value >= MIN_STAKE && msg.value <= MAX_STAKE, "stake out of range");
        uint256 roll = uint256(keccak256(abi.encodePacked(now, msg.sender))) % 6 + 1;
        uint256 prize = msg.value * 4;
        rounds += 1;
        gamesOf[msg.sender] += 1;
        emit Rolled(msg.sender, roll, msg.value);
        if (roll == 6 && address(this).balance >= prize) {
            winsOf[msg.sender] += 1;
            emit Won(msg.sender, prize);
            msg.sender.transfer(prize); //~ ERROR timestamp
        }
    }

    function house() external view returns (uint256) {
        return address(this).balance;
    }

    function takeEarnings(uint256 amount) external onlyInnkeeper {
        require(amount <= address(this).balance, "not that much");
        innkeeper.transfer(amount);
    }
}
