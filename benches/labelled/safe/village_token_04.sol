pragma solidity ^0.4.24;

// Vouchers of the village shops. Every household gets a hundred of them, and
// employers hand them out to many people at once.
contract VillageToken {
    string public constant name = "Village voucher";
    string public constant symbol = "VLG";
    uint8 public constant decimals = 0;
    uint256 public constant GIFT = 100;

    uint256 public totalSupply = 1000000;
    uint256 public reserve = 500000;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => bool) public welcomed;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed from, address indexed spender, uint256 value);

    constructor() public {
        balanceOf[msg.sender] = totalSupply - reserve;
        emit Transfer(address(0), msg.sender, totalSupply - reserve);
    }

    function welcome() public {
        require(!welcomed[msg.sender]);
        require(reserve >= GIFT);
        welcomed[msg.sender] = true;
        reserve -= GIFT;
        balanceOf[msg.sender] += GIFT;
        emit Transfer(address(0), msg.sender, GIFT);
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
        require(allowance[from][msg.sender] >= value);
        allowance[from][msg.sender] -= value;
        _move(from, to, value);
        return true;
    }

    function handOut(address[] to, uint256 value) public returns (bool) {
        require(to.length > 0 && to.length <= 20);
        require(value <= balanceOf[msg.sender]);
        uint256 sum = to.length * value;
        require(sum / to.length == value);
        require(sum <= balanceOf[msg.sender]);
        for (uint256 i = 0; i < to.length; i++) {
            _move(msg.sender, to[i], value);
        }
        return true;
    }

    function _move(address from, address to, uint256 value) private {
        require(to != address(0));
        require(balanceOf[from] >= value);
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}
