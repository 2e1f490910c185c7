// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// A token backed one to one by ether, that asserts what must hold after every move.
contract AssertedToken {
    string public constant name = "Asserted";
    string public constant symbol = "ASR";
    uint8 public constant decimals = 18;

    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 amount);
    event Approval(address indexed owner, address indexed spender, uint256 amount);

    modifier backed() {
        _;
        // forced ether may make the balance larger, never smaller
        assert(address(this).balance >= totalSupply);
    }

    function mint() external payable backed {
        totalSupply += msg.value;
        balanceOf[msg.sender] += msg.value;
        assert(balanceOf[msg.sender] <= totalSupply);
        emit Transfer(address(0), msg.sender, msg.value);
    }

    function redeem(uint256 amount) external backed {
        require(balanceOf[msg.sender] >= amount, "balance");
        assert(totalSupply >= amount);
        unchecked {
            balanceOf[msg.sender] -= amount;
            totalSupply -= amount;
        }
        emit Transfer(msg.sender, address(0), amount);
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok, "payment failed");
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        _move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        require(allowed >= amount, "allowance");
        unchecked {
            allowance[from][msg.sender] = allowed - amount;
        }
        _move(from, to, amount);
        return true;
    }

    function _move(address from, address to, uint256 amount) private {
        require(to != address(0), "zero");
        uint256 sumBefore = balanceOf[from] + balanceOf[to];
        require(balanceOf[from] >= amount, "balance");
        unchecked {
            balanceOf[from] -= amount;
            balanceOf[to] += amount;
        }
        // holds for from == to as well
        assert(balanceOf[from] + balanceOf[to] == sumBefore);
        emit Transfer(from, to, amount);
    }
}
