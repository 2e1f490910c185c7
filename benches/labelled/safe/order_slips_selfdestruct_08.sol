// Sound: the slip lives for one transaction only, and its ether can go nowhere but to the merchant whose address is part of the slip's own address, whoever collects it.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title The contract at the address to which a customer has paid
contract OrderSlip {
    constructor(address payable merchant) {
        selfdestruct(merchant);
    }
}

/// @title Payment addresses, one for each order
/// @notice A merchant shows the customer an address at which there is nothing yet. What
///         is paid to it is collected by anybody, and reaches the merchant.
contract OrderSlips {
    struct Merchant {
        bool registered;
        uint64 since;
        uint32 collected;
        uint128 turnover;
    }

    mapping(address => Merchant) public merchants;
    mapping(address => mapping(bytes32 => uint256)) public collectedOf;
    mapping(address => mapping(bytes32 => uint256)) public expected;

    event Registered(address indexed merchant);
    event Expected(address indexed merchant, bytes32 indexed order, address slip, uint256 amount);
    event Collected(address indexed merchant, bytes32 indexed order, uint256 amount);

    function register() external {
        require(!merchants[msg.sender].registered, "registered");
        merchants[msg.sender].registered = true;
        merchants[msg.sender].since = uint64(block.timestamp);
        emit Registered(msg.sender);
    }

    function expect(bytes32 order, uint256 amount) external returns (address slip) {
        require(merchants[msg.sender].registered, "not registered");
        require(amount > 0 && amount <= type(uint96).max, "amount");
        require(expected[msg.sender][order] == 0, "known already");
        expected[msg.sender][order] = amount;
        slip = slipOf(msg.sender, order);
        emit Expected(msg.sender, order, slip, amount);
    }

    /// @notice Sends on what was paid for an order. It may be done again when more was paid.
    function collect(address payable merchant, bytes32 order) external returns (uint256 amount) {
        require(expected[merchant][order] > 0, "no such order");
        amount = slipOf(merchant, order).balance;
        require(amount > 0 && amount <= type(uint96).max, "nothing was paid");
        Merchant storage m = merchants[merchant];
        m.collected += 1;
        m.turnover += uint128(amount);
        collectedOf[merchant][order] += amount;
        new OrderSlip{salt: _salt(merchant, order)}(merchant);
        emit Collected(merchant, order, amount);
    }

    function isPaid(address merchant, bytes32 order) external view returns (bool) {
        uint256 due = expected[merchant][order];
        return due > 0 && collectedOf[merchant][order] + slipOf(merchant, order).balance >= due;
    }

    function slipOf(address merchant, bytes32 order) public view returns (address) {
        bytes32 codeHash = keccak256(abi.encodePacked(type(OrderSlip).creationCode, abi.encode(merchant)));
        bytes32 hash =
            keccak256(abi.encodePacked(bytes1(0xff), address(this), _salt(merchant, order), codeHash));
        return address(uint160(uint256(hash)));
    }

    function _salt(address merchant, bytes32 order) private pure returns (bytes32) {
        return keccak256(abi.encode(merchant, order));
    }
}
