// SPDX-License-Identifier: MIT
pragma solidity ^0.8.13;

/// Coupons of a tool library. Each reader has a pile, the newest one is on top.
contract ToolCoupons {
    struct Coupon {
        uint256 value;
        uint256 soldAt;
    }

    uint256 public constant SMALLEST = 0.001 ether;
    uint256 public constant LARGEST = 5 ether;

    address public immutable librarian;
    uint256 public income;
    uint256 public loans;
    mapping(address => Coupon[]) private pile;
    mapping(address => bytes32) public borrowed;

    event Sold(address indexed holder, uint256 value);
    event Borrowed(address indexed holder, bytes32 indexed tool, uint256 value);
    event CashedIn(address indexed holder, uint256 value);

    error NoCoupon();

    constructor() {
        librarian = msg.sender;
    }

    function buy() external payable {
        require(msg.value >= SMALLEST && msg.value <= LARGEST, "no such coupon");
        pile[msg.sender].push(Coupon(msg.value, block.timestamp));
        emit Sold(msg.sender, msg.value);
    }

    function borrow(bytes32 tool) external {
        require(borrowed[msg.sender] == 0 && tool != 0, "one at a time");
        uint256 value = _top(msg.sender);
        income += value;
        loans += 1;
        borrowed[msg.sender] = tool;
        emit Borrowed(msg.sender, tool, value);
    }

    function bringBack() external {
        require(borrowed[msg.sender] != 0, "nothing borrowed");
        borrowed[msg.sender] = 0;
    }

    /// The coupon on top is gone before it is paid.
    function cashIn() external {
        uint256 value = _top(msg.sender);
        emit CashedIn(msg.sender, value);
        (bool ok, ) = msg.sender.call{value: value}("");
        require(ok, "not accepted");
    }

    function collect(address payable to) external {
        require(msg.sender == librarian, "librarian only");
        uint256 value = income;
        income = 0;
        to.transfer(value);
    }

    function couponsOf(address holder) external view returns (uint256) {
        return pile[holder].length;
    }

    function _top(address holder) private returns (uint256 value) {
        Coupon[] storage theirs = pile[holder];
        if (theirs.length == 0) revert NoCoupon();
        value = theirs[theirs.length - 1].value;
        theirs.pop();
    }
}
