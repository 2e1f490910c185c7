pragma solidity ^0.4.24;

library SafeMath {
    function add(uint256 a, uint256 b) internal pure returns (uint256) {
        uint256 c = a + b;
        require(c >= a);
        return c;
    }

    function sub(uint256 a, uint256 b) internal pure returns (uint256) {
        require(b <= a);
        return a - b;
    }
}

contract RewardToken {
    using SafeMath for uint256;

    string public name;
    uint8 public constant decimals = 18;
    address public owner;
    bool public transfersOpen = true;
    uint256 public totalSupply;

    mapping(address => uint256) private balances;
    mapping(address => mapping(address => uint256)) private allowed;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed holder, address indexed spender, uint256 value);

    modifier onlyOwner() {
        require(msg.sender == owner);
        _;
    }

    modifier whenOpen() {
        require(transfersOpen);
        _;
    }

    constructor(string _name, uint128 initialSupply) public {
        name = _name;
        owner = msg.sender;
        totalSupply = initialSupply;
        balances[msg.sender] = initialSupply;
        emit Transfer(address(0), msg.sender, initialSupply);
    }

    function balanceOf(address who) public view returns (uint256) {
        return balances[who];
    }

    function transfer(address to, uint256 value) public whenOpen returns (bool) {
        require(to != address(0));
        balances[msg.sender] = balances[msg.sender].sub(value);
        balances[to] = balances[to].add(value);
        emit Transfer(msg.sender, to, value);
        return true;
    }

    function approve(address spender, uint256 value) public returns (bool) {
        allowed[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) public whenOpen returns (bool) {
        require(to != address(0));
        allowed[from][msg.sender] = allowed[from][msg.sender].sub(value);
        balances[from] = balances[from].sub(value);
        balances[to] = balances[to].add(value);
        emit Transfer(from, to, value);
        return true;
    }

    // Pays several receivers at once.
    function payOut(address[] receivers, uint256[] amounts) public whenOpen returns (bool) {
        require(receivers.length == amounts.length);
        require(receivers.length <= 50);
        uint256 total = 0;
        for (uint256 i = 0; i < amounts.length; i++) {
            total += amounts[i]; //~ ERROR overflow
        }
        require(balances[msg.sender] >= total);
        balances[msg.sender] = balances[msg.sender].sub(total);
        for (uint256 j = 0; j < receivers.length; j++) {
            require(receivers[j] != address(0));
            balances[receivers[j]] = balances[receivers[j]].add(amounts[j]);
            emit Transfer(msg.sender, receivers[j], amounts[j]);
        }
        return true;
    }

    function setTransfersOpen(bool open) public onlyOwner {
        transfersOpen = open;
    }
}
