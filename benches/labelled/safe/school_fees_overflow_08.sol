// Sound: each number is bounded by a check, or by a number of the narrow type, before it is cast or subtracted without a check, and the assertion about the total holds after every call.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Savings for school fees, packed in one word for each family
/// @notice What a family saves can be taken out after a notice of a day, and fees
///         are paid to the school at once.
contract SchoolFees {
    struct Account {
        uint96 saved;
        uint96 onNotice;
        uint64 noticeEnds;
    }

    uint256 public constant NOTICE = 1 days;

    address public immutable school;
    mapping(address => Account) private accounts;
    uint256 public total;
    uint256 public feesPaid;
    uint256 public feesCollected;

    event Saved(address indexed family, uint256 amount);
    event FeePaid(address indexed family, uint256 amount);
    event NoticeGiven(address indexed family, uint256 amount, uint256 ends);
    event TakenOut(address indexed family, uint256 amount);

    constructor() {
        school = msg.sender;
    }

    modifier balanced() {
        _;
        Account storage a = accounts[msg.sender];
        assert(uint256(a.saved) + a.onNotice <= total);
    }

    function save() external payable balanced {
        Account storage a = accounts[msg.sender];
        require(msg.value > 0, "nothing");
        require(msg.value <= type(uint96).max - a.saved, "too much for one family");
        unchecked {
            a.saved += uint96(msg.value);
        }
        total += msg.value;
        emit Saved(msg.sender, msg.value);
    }

    function payFee(uint256 amount) external balanced {
        Account storage a = accounts[msg.sender];
        require(amount > 0 && amount <= a.saved, "more than is saved");
        unchecked {
            a.saved -= uint96(amount);
            total -= amount;
        }
        feesPaid += amount;
        emit FeePaid(msg.sender, amount);
    }

    function giveNotice(uint256 amount) external balanced {
        Account storage a = accounts[msg.sender];
        require(amount > 0 && amount <= a.saved, "more than is saved");
        require(amount <= type(uint96).max - a.onNotice, "too much on notice");
        unchecked {
            a.saved -= uint96(amount);
            a.onNotice += uint96(amount);
        }
        a.noticeEnds = uint64(block.timestamp + NOTICE);
        emit NoticeGiven(msg.sender, amount, a.noticeEnds);
    }

    function takeOut(uint256 amount) external balanced {
        Account storage a = accounts[msg.sender];
        require(amount > 0 && amount <= a.onNotice, "not on notice");
        require(block.timestamp >= a.noticeEnds, "the notice runs");
        unchecked {
            a.onNotice -= uint96(amount);
            total -= amount;
        }
        emit TakenOut(msg.sender, amount);
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok, "not accepted");
    }

    function collect() external {
        require(msg.sender == school, "not the school");
        uint256 amount;
        unchecked {
            amount = feesPaid - feesCollected;
        }
        feesCollected = feesPaid;
        (bool ok,) = school.call{value: amount}("");
        require(ok, "not accepted");
    }

    function account(address family) external view returns (uint256 saved, uint256 onNotice, uint256 ends) {
        Account storage a = accounts[family];
        return (a.saved, a.onNotice, a.noticeEnds);
    }
}
