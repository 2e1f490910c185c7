pragma solidity ^0.5.0;

library SafeMath {
    function add(uint256 a, uint256 b) internal pure returns (uint256) {
        uint256 c = a + b;
        require(c >= a, "addition");
        return c;
    }

    function sub(uint256 a, uint256 b) internal pure returns (uint256) {
        require(b <= a, "subtraction");
        return a - b;
    }

    function mul(uint256 a, uint256 b) internal pure returns (uint256) {
        if (a == 0) {
            return 0;
        }
        uint256 c = a * b;
        require(c / a == b, "multiplication");
        return c;
    }
}

/// Shares of the harvest of an orchard, sold at a fixed price.
contract OrchardToken {
    using SafeMath for uint256;

    string public constant name = "Orchard Share";
    string public constant symbol = "APPLE";
    uint8 public constant decimals = 18;
    uint256 public constant RATE = 200;

    address payable public farmer;
    uint256 public totalSupply;
    uint256 public forSale;
    bool public saleOpen = true;

    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor() public {
        farmer = msg.sender;
        totalSupply = 1000000 ether;
        forSale = 400000 ether;
        balanceOf[address(this)] = forSale;
        balanceOf[msg.sender] = totalSupply.sub(forSale);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        _move(msg.sender, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] = allowance[from][msg.sender].sub(value);
        _move(from, to, value);
        return true;
    }

    function buy() external payable {
        require(saleOpen, "the sale is over");
        require(msg.value > 0, "nothing sent");
        uint256 amount = msg.value.mul(RATE);
        forSale = forSale.sub(amount);
        _move(address(this), msg.sender, amount);
        farmer.transfer(msg.value);
    }

    function setSale(bool open) external {
        require(msg.sender == farmer, "not the farmer");
        saleOpen = open;
    }

    function _move(address from, address to, uint256 value) private {
        require(to != address(0) && to != address(this), "bad receiver");
        balanceOf[from] = balanceOf[from].sub(value);
        balanceOf[to] = balanceOf[to].add(value);
        emit Transfer(from, to, value);
    }
}
