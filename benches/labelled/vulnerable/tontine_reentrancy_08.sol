// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Tontine
/// @notice Members gather stakes, the roll is sealed, and whoever still signs at
///         the end of the term shares the pot. Until the roll is sealed, a member
///         may lower the stake or step down altogether.
contract Tontine {
    enum Phase {
        Gathering,
        Sealed
    }

    struct Member {
        uint128 stake;
        uint64 lastSign;
        bool active;
    }

    uint256 public constant MIN_STAKE = 1 gwei;
    uint256 public constant TERM = 365 days;
    uint256 public constant GRACE = 60 days;

    Phase public phase;
    uint256 public immutable sealFrom;
    uint256 public sealedAt;
    uint256 public totalStake;
    uint256 public memberCount;
    mapping(address => Member) public members;

    event Joined(address indexed who, uint256 stake);
    event Lowered(address indexed who, uint256 amount, uint256 rest);
    event StruckOff(address indexed who);
    event Shared(address indexed who, uint256 amount);

    constructor(uint32 gatheringDays) {
        sealFrom = block.timestamp + uint256(gatheringDays) * 1 days;
    }

    modifier during(Phase expected) {
        require(phase == expected, "wrong phase");
        _;
    }

    function join() external payable during(Phase.Gathering) {
        require(msg.value >= MIN_STAKE && msg.value <= type(uint96).max, "stake");
        Member storage m = members[msg.sender];
        if (!m.active) {
            m.active = true;
            memberCount++;
        }
        m.lastSign = uint64(block.timestamp);
        m.stake += uint128(msg.value);
        totalStake += msg.value;
        emit Joined(msg.sender, msg.value);
    }

    /// @notice Takes back a part of the stake, or all of it.
    function stepDown(uint256 amount) external during(Phase.Gathering) {
        Member storage m = members[msg.sender];
        require(amount > 0 && amount <= m.stake, "more than the stake");
        uint256 rest = m.stake - amount;
        require(rest == 0 || rest >= MIN_STAKE, "rest too small");

        (bool ok,) = msg.sender.call{value: amount}(""); //~ ERROR reentrancy
        require(ok, "not accepted");

        m.stake = uint128(rest);
        totalStake -= amount;
        if (rest == 0 && m.active) {
            m.active = false;
            memberCount--;
        }
        emit Lowered(msg.sender, amount, rest);
    }

    function sealRoll() external during(Phase.Gathering) {
        require(block.timestamp >= sealFrom, "still gathering");
        require(memberCount >= 2, "too few");
        phase = Phase.Sealed;
        sealedAt = block.timestamp;
    }

    function sign() external during(Phase.Sealed) {
        require(members[msg.sender].active, "not a member");
        members[msg.sender].lastSign = uint64(block.timestamp);
    }

    function strikeOff(address who) external during(Phase.Sealed) {
        require(block.timestamp < sealedAt + TERM, "term is over");
        require(memberCount > 1, "last member");
        Member storage m = members[who];
        require(m.active, "not a member");
        uint256 seen = m.lastSign > sealedAt ? m.lastSign : sealedAt;
        require(block.timestamp > seen + GRACE, "signed lately");
        m.active = false;
        memberCount--;
        emit StruckOff(who);
    }

    function share() external during(Phase.Sealed) {
        require(block.timestamp >= sealedAt + TERM, "too early");
        Member storage m = members[msg.sender];
        require(m.active, "not a member");
        uint256 amount = address(this).balance / memberCount;
        m.active = false;
        m.stake = 0;
        memberCount--;
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok, "not accepted");
        emit Shared(msg.sender, amount);
    }
}
