pragma solidity ^0.4.24;

library SafeMath {
    function mul(uint256 a, uint256 b) internal pure returns (uint256) {
        if (a == 0) return 0;
        uint256 c = a * b;
        require(c / a == b, "mul");
        return c;
    }

    function sub(uint256 a, uint256 b) internal pure returns (uint256) {
        require(b <= a, "sub");
        return a - b;
    }

    function add(uint256 a, uint256 b) internal pure returns (uint256) {
        uint256 c = a + b;
        require(c >= a, "add");
        return c;
    }
}

contract AirdropToken {
    using SafeMath for uint256;

    string public constant name = "Batch Airdrop Coin";
    string public constant symbol = "BAC";
    uint8 public constant decimals = 18;
    uint256 public totalSupply = 7000000000 * 10 ** 18;

    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor() public {
        balanceOf[msg.sender] = totalSupply;
        emit Transfer(address(0), msg.sender, totalSupply);
    }

    function transfer(address to, uint256 value) public returns (bool) {
        _move(msg.sender, to, value);
        return true;
    }

    function approve(address spender, uint256 value) public returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) public returns (bool) {
        allowance[from][msg.sender] = allowance[from][msg.sender].sub(value);
        _move(from, to, value);
        return true;
    }

    function batchTransfer(address[] receivers, uint256 value) public returns (bool) {
        uint256 count = receivers.length;
        require(count > 0 && count <= 20, "count");
        uint256 amount = count.mul(value);
        require(value > 0 && balanceOf[msg.sender] >= amount, "balance");

        balanceOf[msg.sender] = balanceOf[msg.sender].sub(amount);
        for (uint256 i = 0; i < count; i++) {
            require(receivers[i] != address(0), "zero");
            balanceOf[receivers[i]] = balanceOf[receivers[i]].add(value);
            emit Transfer(msg.sender, receivers[i], value);
        }
        return true;
    }

    function _move(address from, address to, uint256 value) internal {
        require(to != address(0), "zero");
        balanceOf[from] = balanceOf[from].sub(value);
        balanceOf[to] = balanceOf[to].add(value);
        emit Transfer(from, to, value);
    }
}
