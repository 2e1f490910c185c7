// By design: the owner alone may sweep, call anything, delegate and destroy; the contract holds only his own money.
pragma solidity ^0.4.24;

interface ERC20Like {
    function transfer(address to, uint256 value) external returns (bool);
    function balanceOf(address who) external view returns (uint256);
}

contract OwnedToolbox {
    address public owner;
    address public pendingOwner;

    event OwnershipTransferred(address indexed from, address indexed to);
    event Swept(address indexed token, uint256 amount);
    event Called(address indexed target, bool ok);

    modifier onlyOwner() {
        require(msg.sender == owner, "owner only");
        _;
    }

    constructor() public {
        owner = msg.sender;
    }

    function () external payable {}

    function offerOwnership(address to) public onlyOwner {
        pendingOwner = to;
    }

    function acceptOwnership() public {
        require(msg.sender == pendingOwner && msg.sender != address(0), "not offered");
        emit OwnershipTransferred(owner, msg.sender);
        owner = msg.sender;
        pendingOwner = address(0);
    }

    function sweepEther() public onlyOwner {
        uint256 amount = address(this).balance;
        owner.transfer(amount);
        emit Swept(address(0), amount);
    }

    function sweepToken(ERC20Like token) public onlyOwner {
        uint256 amount = token.balanceOf(address(this));
        require(token.transfer(owner, amount), "token");
        emit Swept(token, amount);
    }

    function callOut(address target, uint256 value, bytes data) public onlyOwner returns (bool ok) {
        ok = target.call.value(value)(data);
        emit Called(target, ok);
    }

    function runScript(address script, bytes data) public onlyOwner {
        require(script.delegatecall(data), "script failed");
        emit Called(script, true);
    }

    function destroy() public onlyOwner {
        selfdestruct(owner);
    }
}
