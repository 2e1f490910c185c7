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

contract ListedToken {
    using SafeMath for uint256;

    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor(uint128 supply) public {
        totalSupply = supply;
        balanceOf[msg.sender] = supply;
    }

    function transfer(address to, uint256 value) public returns (bool) {
        balanceOf[msg.sender] = balanceOf[msg.sender].sub(value);
        balanceOf[to] = balanceOf[to].add(value);
        emit Transfer(msg.sender, to, value);
        return true;
    }

    function approve(address spender, uint256 value) public returns (bool) {
        allowance[msg.sender][spender] = value;
        return true;
    }

    function transferFrom(address from, address to, uint256 value) public returns (bool) {
        allowance[from][msg.sender] = allowance[from][msg.sender].sub(value);
        balanceOf[from] = balanceOf[from].sub(value);
        balanceOf[to] = balanceOf[to].add(value);
        emit Transfer(from, to, value);
        return true;
    }
}

contract TokenExchange {
    using SafeMath for uint256;

    ListedToken public token;
    address public admin;
    bool public halted;
    mapping(address => uint256) public credits;
    mapping(address => uint256) public lastDeposit;

    event Deposit(address indexed who, uint256 amount);
    event Withdraw(address indexed who, uint256 amount);
    event Trade(address indexed from, address indexed to, uint256 amount);

    modifier notHalted() {
        require(!halted);
        _;
    }

    constructor(ListedToken _token) public {
        token = _token;
        admin = msg.sender;
    }

    function deposit(uint256 amount) public notHalted {
        require(amount > 0);
        address(token).call(bytes4(keccak256("transferFrom(address,address,uint256)")), msg.sender, this, amount); //~ ERROR exception-disorder
        credits[msg.sender] = credits[msg.sender].add(amount);
        lastDeposit[msg.sender] = now;
        emit Deposit(msg.sender, amount);
    }

    function settle(address to, uint256 amount) public notHalted {
        credits[msg.sender] = credits[msg.sender].sub(amount);
        credits[to] = credits[to].add(amount);
        emit Trade(msg.sender, to, amount);
    }

    function withdraw(uint256 amount) public {
        credits[msg.sender] = credits[msg.sender].sub(amount);
        require(token.transfer(msg.sender, amount));
        emit Withdraw(msg.sender, amount);
    }

    function setHalted(bool value) public {
        require(msg.sender == admin);
        halted = value;
    }
}
