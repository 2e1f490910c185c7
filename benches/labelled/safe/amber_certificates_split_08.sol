// SPDX-License-Identifier: MIT
pragma solidity ^0.8.19;

/// @title Certificates for ether, that can be split and redeemed
contract AmberCertificates {
    struct Certificate {
        address holder;
        bool redeemed;
        uint256 amount;
    }

    uint256 public constant LEAST = 1000 gwei;

    address public immutable registrar;
    bool public open = true;
    uint256 public deposited;
    uint256 public issued;
    mapping(uint256 id => Certificate) public certificates;

    event Issued(uint256 indexed id, address indexed holder, uint256 amount);
    event Split(uint256 indexed id, uint256 indexed other);
    event Redeemed(uint256 indexed id, uint256 amount);

    /// @dev A certificate that is being redeemed is nobody's any more.
    modifier live(uint256 id) {
        Certificate storage c = certificates[id];
        require(c.holder == msg.sender, "not yours");
        require(!c.redeemed, "redeemed");
        _;
    }

    constructor() {
        registrar = msg.sender;
    }

    function deposit() external payable returns (uint256) {
        require(open, "closed");
        require(msg.value >= LEAST, "too little");
        deposited += msg.value;
        return _issue(msg.sender, msg.value);
    }

    function handOver(uint256 id, address to) external live(id) {
        require(to != address(0), "to nobody");
        certificates[id].holder = to;
    }

    function split(uint256 id) external live(id) returns (uint256 other) {
        uint256 half = certificates[id].amount / 2;
        require(half > 0, "nothing to split");
        certificates[id].amount -= half;
        other = _issue(msg.sender, half);
        emit Split(id, other);
    }

    function redeem(uint256 id) external live(id) {
        Certificate storage c = certificates[id];
        c.redeemed = true;
        uint256 amount = c.amount;
        deposited -= amount;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "not accepted");
        c.amount = 0; // for a refund of gas; nobody reads it once it is redeemed
        emit Redeemed(id, amount);
    }

    function setOpen(bool open_) external {
        require(msg.sender == registrar, "registrar only");
        open = open_;
    }

    function _issue(address holder, uint256 amount) private returns (uint256 id) {
        id = ++issued;
        certificates[id] = Certificate(holder, false, amount);
        emit Issued(id, holder, amount);
    }
}
