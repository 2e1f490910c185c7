// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface ICreditHolder {
    function creditsLeaving(address to, uint256 amount) external;
}

/// @title Carbon credits, sold for ether and taken back at the same price
/// @notice Holders who keep books of their own may ask to be told before credits leave.
contract CarbonCredit {
    string public constant name = "Carbon Credit";
    uint8 public constant decimals = 18;

    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => bool) public wantsNotice;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    function setNotice(bool wanted) external {
        wantsNotice[msg.sender] = wanted;
    }

    function buy() external payable {
        totalSupply += msg.value;
        balanceOf[msg.sender] += msg.value;
        emit Transfer(address(0), msg.sender, msg.value);
    }

    function sellBack(uint256 amount) external {
        balanceOf[msg.sender] -= amount;
        totalSupply -= amount;
        emit Transfer(msg.sender, address(0), amount);
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok, "not accepted");
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        _send(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        _send(from, to, amount);
        return true;
    }

    function _send(address from, address to, uint256 amount) private {
        require(to != address(0), "recipient");
        if (wantsNotice[from] && from.code.length > 0) {
            ICreditHolder(from).creditsLeaving(to, amount); //~ ERROR reentrancy
        }
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        emit Transfer(from, to, amount);
    }
}

/// @title Pool in which companies keep credits until they retire them
contract RetirementPool {
    CarbonCredit public immutable credit;
    mapping(address => uint256) public kept;
    mapping(address => uint256) public retired;
    uint256 public totalRetired;

    event Kept(address indexed who, uint256 amount);
    event Released(address indexed who, uint256 amount);
    event Retired(address indexed who, uint256 amount);

    constructor() {
        credit = new CarbonCredit();
    }

    /// @notice Counts what arrives, whatever the token may keep for itself.
    function keep(uint256 amount) external {
        require(amount > 0, "nothing");
        uint256 before = credit.balanceOf(address(this));
        require(credit.transferFrom(msg.sender, address(this), amount), "transfer");
        uint256 arrived = credit.balanceOf(address(this)) - before;
        kept[msg.sender] += arrived;
        emit Kept(msg.sender, arrived);
    }

    function release(uint256 amount) external {
        kept[msg.sender] -= amount;
        require(credit.transfer(msg.sender, amount), "transfer");
        emit Released(msg.sender, amount);
    }

    function retire(uint256 amount) external {
        kept[msg.sender] -= amount;
        retired[msg.sender] += amount;
        totalRetired += amount;
        require(credit.transfer(address(0xdead), amount), "transfer");
        emit Retired(msg.sender, amount);
    }
}
