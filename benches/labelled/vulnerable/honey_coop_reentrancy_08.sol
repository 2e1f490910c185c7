// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Linden Valley honey cooperative
/// @notice Shops pay in advance, and keepers pass the credit among themselves
/// until somebody wants it in ether.
contract HoneyCoop {
    struct Delivery {
        address keeper;
        uint32 jars;
        uint64 at;
    }

    mapping(address => uint256) public creditOf;
    mapping(address => uint256) public jarsOf;
    Delivery[] private deliveries;
    bool private paying;

    event PaidIn(address indexed who, uint256 amount);
    event PassedOn(address indexed from, address indexed to, uint256 amount);
    event CashedOut(address indexed who, uint256 amount);
    event Delivered(address indexed keeper, uint32 jars);

    modifier onePayout() {
        require(!paying, "a payout is under way");
        paying = true;
        _;
        paying = false;
    }

    function payIn() external payable {
        require(msg.value > 0, "nothing paid");
        creditOf[msg.sender] += msg.value;
        emit PaidIn(msg.sender, msg.value);
    }

    function deliver(uint32 jars) external {
        require(jars > 0 && jars <= 500, "odd number of jars");
        jarsOf[msg.sender] += jars;
        deliveries.push(Delivery(msg.sender, jars, uint64(block.timestamp)));
        emit Delivered(msg.sender, jars);
    }

    /// @notice Settles a debt between two members.
    function passOn(address to, uint256 amount) external {
        require(to != address(0), "no receiver");
        creditOf[msg.sender] -= amount;
        creditOf[to] += amount;
        emit PassedOn(msg.sender, to, amount);
    }

    /// @notice Pays the whole credit of the sender.
    function cashOut() external onePayout {
        uint256 amount = creditOf[msg.sender];
        require(amount > 0, "no credit");
        (bool ok, ) = payable(msg.sender).call{value: amount}(""); //~ ERROR reentrancy
        require(ok, "not accepted");
        creditOf[msg.sender] = 0;
        emit CashedOut(msg.sender, amount);
    }

    function deliveryCount() external view returns (uint256) {
        return deliveries.length;
    }
}
