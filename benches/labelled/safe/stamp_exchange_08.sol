// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Exchange of a stamp collectors' club
/// @notice Several steps can be made in one transaction. Extensions run on the
/// storage of the exchange, and are chosen by the curator.
contract StampExchange {
    address public immutable curator;
    address public extension;
    mapping(address => uint256) public creditOf;
    mapping(address => bytes32) public wish;

    event Credited(address indexed who, uint256 amount);
    event Sent(address indexed from, address indexed to, uint256 amount);
    event PaidOut(address indexed who, uint256 amount);

    modifier onlyCurator() {
        require(msg.sender == curator, "only the curator");
        _;
    }

    constructor() {
        curator = msg.sender;
    }

    function credit() external payable {
        creditOf[msg.sender] += msg.value;
        emit Credited(msg.sender, msg.value);
    }

    function setWish(bytes32 stamp) external {
        wish[msg.sender] = stamp;
    }

    function sendCredit(address to, uint256 amount) external {
        require(amount <= creditOf[msg.sender], "not enough credit");
        creditOf[msg.sender] -= amount;
        creditOf[to] += amount;
        emit Sent(msg.sender, to, amount);
    }

    function payOut(uint256 amount) external {
        require(amount <= creditOf[msg.sender], "not enough credit");
        creditOf[msg.sender] -= amount;
        (bool ok, ) = payable(msg.sender).call{value: amount}("");
        require(ok, "not accepted");
        emit PaidOut(msg.sender, amount);
    }

    /// @dev Takes no ether, so that no step can count it twice.
    function steps(bytes[] calldata calls) external returns (bytes[] memory results) {
        require(calls.length <= 8, "too many steps");
        results = new bytes[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            (bool ok, bytes memory result) = address(this).delegatecall(calls[i]);
            require(ok, "a step failed");
            results[i] = result;
        }
    }

    function setExtension(address code) external onlyCurator {
        extension = code;
    }

    function extend(bytes calldata input) external returns (bytes memory) {
        require(extension != address(0), "no extension");
        (bool ok, bytes memory result) = extension.delegatecall(input);
        require(ok, "extension failed");
        return result;
    }
}
