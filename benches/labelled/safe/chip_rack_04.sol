pragma solidity ^0.4.21;

/**
 * Chips of a paddle steamer. One chip is one finney.
 */
contract Harbour {
    address public harbourMaster;

    modifier onlyHarbourMaster() {
        require(msg.sender == harbourMaster);
        _;
    }

    function Harbour() public {
        harbourMaster = msg.sender;
    }
}

contract Purser is Harbour {
    uint256 public paidOut;

    event Paid(address indexed to, uint256 value);

    // Contract wallets need more than the 2300 gas of transfer.
    function hand(address to, uint256 value) internal {
        paidOut += value;
        require(to.call.value(value)());
        emit Paid(to, value);
    }
}

contract ChipRack is Purser {
    uint256 public constant CHIP = 1 finney;

    string public boat;
    uint256 public outstanding;
    bool public docked;

    mapping(address => uint256) public chips;

    event Bought(address indexed player, uint256 amount);
    event Pushed(address indexed from, address indexed to, uint256 amount);
    event CashedIn(address indexed player, uint256 amount);

    function ChipRack(string name) public {
        boat = name;
    }

    function buyChips() external payable {
        require(!docked);
        require(msg.value >= CHIP && msg.value % CHIP == 0);
        uint256 amount = msg.value / CHIP;
        chips[msg.sender] += amount;
        outstanding += amount;
        emit Bought(msg.sender, amount);
    }

    function push(address to, uint256 amount) external {
        require(to != address(0) && amount <= chips[msg.sender]);
        chips[msg.sender] -= amount;
        chips[to] += amount;
        emit Pushed(msg.sender, to, amount);
    }

    function cashIn() external {
        uint256 amount = chips[msg.sender];
        require(amount > 0);
        chips[msg.sender] = 0;
        outstanding -= amount;
        hand(msg.sender, amount * CHIP);
        emit CashedIn(msg.sender, amount);
    }

    function cashInSome(uint256 amount) external {
        require(amount > 0 && amount <= chips[msg.sender]);
        chips[msg.sender] -= amount;
        outstanding -= amount;
        hand(msg.sender, amount * CHIP);
        emit CashedIn(msg.sender, amount);
    }

    function dock(bool isDocked) external onlyHarbourMaster {
        docked = isDocked;
    }

    function houseTake() external onlyHarbourMaster {
        uint256 owed = outstanding * CHIP;
        require(address(this).balance > owed);
        harbourMaster.transfer(address(this).balance - owed);
    }
}
