// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// A safe that goes to the family when its owner has not been seen for long.
contract LegacySafe {
    address public owner = msg.sender;
    address public pendingOwner;
    uint256 public lastSeen = block.timestamp;
    uint256 public patience = 365 days;
    mapping(address => uint256) public allowanceOf;

    event Seen(uint256 at);
    event PatienceSet(uint256 patience);
    event Paid(address indexed to, uint256 amount);
    event Allowed(address indexed who, uint256 amount);

    modifier onlyOwner() {
        require(msg.sender == owner, "not the owner");
        lastSeen = block.timestamp;
        _;
    }

    receive() external payable {}

    function ping() external onlyOwner {
        emit Seen(block.timestamp);
    }

    function setPatience(uint256 value) external {
        require(value <= 10 * 365 days, "too long");
        patience = value;
        emit PatienceSet(value);
    }

    function pay(address payable to, uint256 amount) external onlyOwner {
        emit Paid(to, amount);
        to.transfer(amount);
    }

    function allow(address who, uint256 amount) external onlyOwner {
        allowanceOf[who] = amount;
        emit Allowed(who, amount);
    }

    function spend(uint256 amount) external {
        allowanceOf[msg.sender] -= amount;
        emit Paid(msg.sender, amount);
        payable(msg.sender).transfer(amount);
    }

    function offerOwnership(address next) external onlyOwner {
        pendingOwner = next;
    }

    function acceptOwnership() external {
        require(msg.sender == pendingOwner, "not offered");
        owner = msg.sender;
        pendingOwner = address(0);
        lastSeen = block.timestamp;
    }

    function silentFor() public view returns (uint256) {
        return block.timestamp - lastSeen;
    }

    /// Whoever notices the silence hands the safe to the heir.
    function inherit(address payable heir) external {
        require(heir != address(0), "no heir");
        require(silentFor() >= patience, "still alive");
        selfdestruct(heir); //~ ERROR self-destruct
    }
}
