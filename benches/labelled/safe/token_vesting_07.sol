// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

library SafeMath {
    function add(uint256 a, uint256 b) internal pure returns (uint256) {
        uint256 c = a + b;
        require(c >= a, "addition");
        return c;
    }

    function sub(uint256 a, uint256 b) internal pure returns (uint256) {
        require(b <= a, "subtraction");
        return a - b;
    }

    function mul(uint256 a, uint256 b) internal pure returns (uint256) {
        if (a == 0) return 0;
        uint256 c = a * b;
        require(c / a == b, "multiplication");
        return c;
    }
}

contract TeamToken {
    using SafeMath for uint256;

    uint256 public immutable totalSupply;
    mapping(address => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 amount);

    constructor(address holder, uint256 supply) {
        totalSupply = supply;
        balanceOf[holder] = supply;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        balanceOf[msg.sender] = balanceOf[msg.sender].sub(amount);
        balanceOf[to] = balanceOf[to].add(amount);
        emit Transfer(msg.sender, to, amount);
        return true;
    }
}

contract TeamVesting {
    using SafeMath for uint256;

    struct Schedule {
        uint256 total;
        uint256 released;
        uint64 start;
        uint32 cliff;
        uint32 duration;
        bool revoked;
    }

    TeamToken public immutable token;
    address public immutable owner;
    uint256 public unassigned;
    mapping(address => Schedule) public schedules;

    event Scheduled(address indexed who, uint256 total);
    event Released(address indexed who, uint256 amount);
    event Revoked(address indexed who, uint256 returned);

    modifier onlyOwner() {
        require(msg.sender == owner, "owner only");
        _;
    }

    constructor(uint112 supply) {
        owner = msg.sender;
        token = new TeamToken(address(this), supply);
        unassigned = supply;
    }

    function schedule(address who, uint256 total, uint32 cliff, uint32 duration) external onlyOwner {
        require(who != address(0) && schedules[who].total == 0, "scheduled");
        require(total > 0 && duration > 0 && cliff <= duration, "terms");
        unassigned = unassigned.sub(total);
        schedules[who] = Schedule(total, 0, uint64(block.timestamp), cliff, duration, false);
        emit Scheduled(who, total);
    }

    function vestedOf(address who) public view returns (uint256) {
        Schedule storage s = schedules[who];
        if (s.revoked || s.total == 0) return s.released;
        uint256 elapsed = block.timestamp.sub(s.start);
        if (elapsed < s.cliff) return 0;
        if (elapsed >= s.duration) return s.total;
        return s.total.mul(elapsed) / s.duration;
    }

    function release(address who) external {
        uint256 amount = vestedOf(who).sub(schedules[who].released);
        require(amount > 0, "nothing to release");
        schedules[who].released = schedules[who].released.add(amount);
        emit Released(who, amount);
        require(token.transfer(who, amount), "transfer");
    }

    function revoke(address who) external onlyOwner {
        Schedule storage s = schedules[who];
        require(s.total > 0 && !s.revoked, "not running");
        uint256 due = vestedOf(who);
        uint256 now_ = due.sub(s.released);
        s.released = due;
        s.revoked = true;
        unassigned = unassigned.add(s.total.sub(due));
        emit Revoked(who, s.total.sub(due));
        require(token.transfer(who, now_), "transfer");
    }
}
