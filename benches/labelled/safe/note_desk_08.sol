// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Notes of a desk. They do not move while the desk pays somebody.
contract NoteToken {
    string public constant name = "Demand Note";
    string public constant symbol = "NOTE";
    uint8 public constant decimals = 18;

    NoteDesk public immutable desk = NoteDesk(msg.sender);
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    modifier onlyDesk() {
        require(msg.sender == address(desk), "not the desk");
        _;
    }

    function mint(address to, uint256 value) external onlyDesk {
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function burnAll(address from) external onlyDesk {
        uint256 value = balanceOf[from];
        balanceOf[from] = 0;
        totalSupply -= value;
        emit Transfer(from, address(0), value);
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        _move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] -= value;
        _move(from, to, value);
        return true;
    }

    function _move(address from, address to, uint256 value) private {
        require(!desk.busy(), "desk is paying");
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}

contract NoteDesk {
    NoteToken public immutable token = new NoteToken();
    bool public busy;

    event Issued(address indexed who, uint256 amount);
    event Redeemed(address indexed who, uint256 amount);

    modifier whileIdle() {
        require(!busy, "busy");
        busy = true;
        _;
        busy = false;
    }

    function issue() external payable whileIdle {
        require(msg.value > 0, "nothing");
        token.mint(msg.sender, msg.value);
        emit Issued(msg.sender, msg.value);
    }

    function redeemAll() external whileIdle {
        uint256 amount = token.balanceOf(msg.sender);
        require(amount > 0, "no notes");
        (bool ok, ) = payable(msg.sender).call{value: amount}("");
        require(ok, "not accepted");
        token.burnAll(msg.sender);
        emit Redeemed(msg.sender, amount);
    }
}
