// SPDX-License-Identifier: MIT
pragma solidity ^0.8.13;

/// Prepaid vouchers of a launderette. Each holder has a pile, the newest one is on top.
contract LaundryVouchers {
    struct Voucher {
        uint256 value;
        uint256 soldAt;
    }

    uint256 public constant SMALLEST = 0.001 ether;
    uint256 public constant LARGEST = 5 ether;

    address public immutable keeper;
    string public town;
    uint256 public income;
    uint256 public washes;
    bool public closed;

    mapping(address => Voucher[]) private pile;

    event Sold(address indexed holder, uint256 value);
    event Washed(address indexed holder, uint256 value);
    event CashedIn(address indexed holder, uint256 value);
    event Closed();

    error NotTheKeeper();
    error NoVoucher();

    modifier onlyKeeper() {
        if (msg.sender != keeper) revert NotTheKeeper();
        _;
    }

    constructor(string memory town_) {
        keeper = msg.sender;
        town = town_;
    }

    function buy() external payable {
        require(!closed, "closed");
        require(msg.value >= SMALLEST && msg.value <= LARGEST, "no such voucher");
        pile[msg.sender].push(Voucher(msg.value, block.timestamp));
        emit Sold(msg.sender, msg.value);
    }

    /// The voucher on top pays for a wash.
    function wash() external {
        Voucher[] storage mine = pile[msg.sender];
        if (mine.length == 0) revert NoVoucher();
        uint256 value = mine[mine.length - 1].value;
        mine.pop();
        income += value;
        washes += 1;
        emit Washed(msg.sender, value);
    }

    /// Who does not want to wash gets the money for the voucher on top.
    function cashIn() external {
        Voucher[] storage mine = pile[msg.sender];
        if (mine.length == 0) revert NoVoucher();
        uint256 value = mine[mine.length - 1].value;
        (bool ok, ) = msg.sender.call{value: value}(""); //~ ERROR reentrancy
        require(ok, "not accepted");
        mine.pop();
        emit CashedIn(msg.sender, value);
    }

    function vouchersOf(address holder) external view returns (uint256 count, uint256 worth) {
        Voucher[] storage theirs = pile[holder];
        count = theirs.length;
        for (uint256 i = 0; i < count; i++) {
            worth += theirs[i].value;
        }
    }

    function close() external onlyKeeper {
        closed = true;
        emit Closed();
    }

    function collect(address payable to) external onlyKeeper {
        uint256 value = income;
        income = 0;
        to.transfer(value);
    }
}
