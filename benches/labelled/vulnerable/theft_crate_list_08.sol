// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

/// @notice Deposits for crates of a brewery. Who brings crates back names them, and is paid for all at once.
contract CrateDeposits {
    struct Crate {
        address customer;
        uint96 number;
        uint256 deposit;
        bool returned;
    }

    address public immutable brewery;
    uint256 public outstanding;
    uint256 public minimum = 0.01 ether;
    Crate[] public crates;
    mapping(address customer => uint256) public cratesOf;

    event TakenOut(uint256 indexed id, address indexed customer, uint256 deposit);
    event BroughtBack(address indexed customer, uint256 count, uint256 refund);
    event MinimumSet(uint256 minimum);

    error NotYours(uint256 id);
    error AlreadyBack(uint256 id);

    constructor() {
        brewery = msg.sender;
    }

    function takeOut(uint96 number) external payable returns (uint256 id) {
        require(msg.value >= minimum, "deposit too small");
        id = crates.length;
        crates.push(Crate(msg.sender, number, msg.value, false));
        cratesOf[msg.sender] += 1;
        outstanding += msg.value;
        emit TakenOut(id, msg.sender, msg.value);
    }

    function handOn(uint256 id, address to) external {
        Crate storage c = crates[id];
        if (c.customer != msg.sender) revert NotYours(id);
        if (c.returned) revert AlreadyBack(id);
        require(to != address(0), "to nobody");
        c.customer = to;
        cratesOf[msg.sender] -= 1;
        cratesOf[to] += 1;
    }

    function bringBack(uint256[] calldata ids) external {
        require(ids.length > 0 && ids.length <= 20, "how many");
        uint256 refund = _refundOf(msg.sender, ids);
        for (uint256 i = 0; i < ids.length; i++) {
            crates[ids[i]].returned = true;
        }
        outstanding -= refund;
        emit BroughtBack(msg.sender, ids.length, refund);
        (bool ok, ) = msg.sender.call{value: refund}(""); //~ ERROR ether-theft
        require(ok, "not accepted");
    }

    function setMinimum(uint256 minimum_) external {
        require(msg.sender == brewery, "brewery only");
        minimum = minimum_;
        emit MinimumSet(minimum_);
    }

    function crateCount() external view returns (uint256) {
        return crates.length;
    }

    function _refundOf(address customer, uint256[] calldata ids) private view returns (uint256 sum) {
        for (uint256 i = 0; i < ids.length; i++) {
            Crate storage c = crates[ids[i]];
            if (c.customer != customer) revert NotYours(ids[i]);
            if (c.returned) revert AlreadyBack(ids[i]);
            sum += c.deposit;
        }
    }
}
