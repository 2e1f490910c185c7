pragma solidity ^0.4.21;

/**
 * Chips of the riverboat. One chip is one finney; chips are bought at the
 * cage, pushed over the tables and brought back to the cage.
 */
contract Owned {
    address public owner;

    event OwnerChanged(address indexed from, address indexed to);

    modifier onlyOwner() {
        require(msg.sender == owner);
        _;
    }

    function Owned() public {
        owner = msg.sender;
    }

    function changeOwner(address to) external onlyOwner {
        require(to != address(0));
        emit OwnerChanged(owner, to);
        owner = to;
    }
}

contract Cashier is Owned {
    uint256 public paidOut;

    event Paid(address indexed to, uint256 value);

    // Contract wallets need more than the 2300 gas of transfer.
    function hand(address to, uint256 value) internal {
        paidOut += value;
        require(to.call.value(value)()); //~ ERROR reentrancy
        emit Paid(to, value);
    }
}

contract ChipCage is Cashier {
    uint256 public constant CHIP = 1 finney;

    string public boat;
    uint256 public outstanding;
    bool public docked;

    mapping(address => uint256) public chips;
    mapping(address => bool) public barred;

    event Bought(address indexed player, uint256 amount);
    event Pushed(address indexed from, address indexed to, uint256 amount);
    event CashedIn(address indexed player, uint256 amount);
    event Barred(address indexed player, bool barred);

    modifier welcome() {
        require(!barred[msg.sender]);
        _;
    }

    function ChipCage(string name) public {
        boat = name;
    }

    function buyChips() external payable welcome {
        require(!docked);
        require(msg.value >= CHIP && msg.value % CHIP == 0);
        uint256 amount = msg.value / CHIP;
        chips[msg.sender] += amount;
        outstanding += amount;
        emit Bought(msg.sender, amount);
    }

    function push(address to, uint256 amount) external welcome {
        require(to != address(0) && amount <= chips[msg.sender]);
        chips[msg.sender] -= amount;
        chips[to] += amount;
        emit Pushed(msg.sender, to, amount);
    }

    // All chips of the player at once, the cage does not break racks.
    function cashIn() external {
        uint256 amount = chips[msg.sender];
        require(amount > 0);
        hand(msg.sender, amount * CHIP);
        chips[msg.sender] = 0;
        outstanding = amount < outstanding ? outstanding - amount : 0;
        emit CashedIn(msg.sender, amount);
    }

    function bar(address player, bool isBarred) external onlyOwner {
        barred[player] = isBarred;
        emit Barred(player, isBarred);
    }

    function dock(bool isDocked) external onlyOwner {
        docked = isDocked;
    }

    // The house takes what no chip stands for.
    function houseTake() external onlyOwner {
        uint256 owed = outstanding * CHIP;
        require(address(this).balance > owed);
        owner.transfer(address(this).balance - owed);
    }
}
