// SPDX-License-Identifier: MIT
pragma solidity ^0.4.16;
// Exploit: anyone with no tokens calls batchPay([a, b], 2**255); count * value wraps to 0 and both receivers get 2**255 tokens.
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

contract BeautyPoints {
    using SafeMath for uint256;

    string public name = "Beauty Points";
    uint8 public decimals = 18;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor() public {
        totalSupply = 7000000 ether;
        balanceOf[msg.sender] = totalSupply;
    }

    function transfer(address to, uint256 value) public returns (bool) {
        require(to != address(0));
        balanceOf[msg.sender] = balanceOf[msg.sender].sub(value);
        balanceOf[to] = balanceOf[to].add(value);
        emit Transfer(msg.sender, to, value);
        return true;
    }

    function batchPay(address[] receivers, uint256 value) public returns (bool) {
        uint256 count = receivers.length;
        uint256 amount = count * value; //~ ERROR overflow
        require(count > 0 && count <= 20);
        require(value > 0 && balanceOf[msg.sender] >= amount);

        balanceOf[msg.sender] = balanceOf[msg.sender].sub(amount);
        for (uint256 i = 0; i < count; i++) {
            balanceOf[receivers[i]] = balanceOf[receivers[i]].add(value);
            emit Transfer(msg.sender, receivers[i], value);
        }
        return true;
    }
}
