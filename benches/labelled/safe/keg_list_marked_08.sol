// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

/// @notice Deposits for kegs. Who brings kegs back names them, and is paid for all at once.
contract KegDeposits {
    struct Keg {
        address customer;
        uint96 number;
        uint256 deposit;
        bool returned;
    }

    address public immutable brewery;
    uint256 public outstanding;
    uint256 public minimum = 0.01 ether;
    Keg[] public kegs;

    event TakenOut(uint256 indexed id, address indexed customer, uint256 deposit);
    event BroughtBack(address indexed customer, uint256 count, uint256 refund);

    error NotYours(uint256 id);
    error AlreadyBack(uint256 id);

    constructor() {
        brewery = msg.sender;
    }

    function takeOut(uint96 number) external payable returns (uint256 id) {
        require(msg.value >= minimum, "deposit too small");
        id = kegs.length;
        kegs.push(Keg(msg.sender, number, msg.value, false));
        outstanding += msg.value;
        emit TakenOut(id, msg.sender, msg.value);
    }

    function handOn(uint256 id, address to) external {
        Keg storage k = kegs[id];
        if (k.customer != msg.sender) revert NotYours(id);
        if (k.returned) revert AlreadyBack(id);
        require(to != address(0), "to nobody");
        k.customer = to;
    }

    /// @dev Each is marked as soon as it is counted, so that naming it twice is refused.
    function bringBack(uint256[] calldata ids) external {
        require(ids.length > 0 && ids.length <= 20, "how many");
        uint256 refund;
        for (uint256 i = 0; i < ids.length; i++) {
            Keg storage k = kegs[ids[i]];
            if (k.customer != msg.sender) revert NotYours(ids[i]);
            if (k.returned) revert AlreadyBack(ids[i]);
            k.returned = true;
            refund += k.deposit;
        }
        outstanding -= refund;
        emit BroughtBack(msg.sender, ids.length, refund);
        (bool ok, ) = msg.sender.call{value: refund}("");
        require(ok, "not accepted");
    }

    function setMinimum(uint256 minimum_) external {
        require(msg.sender == brewery, "brewery only");
        minimum = minimum_;
    }
}
