// SPDX-License-Identifier: MIT
pragma solidity ^0.8.4;

/// Bands choose a plan with hours in a rehearsal studio, for each month.
contract StudioHours {
    enum Plan {
        None,
        Garage,
        Stage
    }

    struct Band {
        Plan plan;
        uint256 month;
        uint256 used;
        uint256 total;
    }

    address payable public immutable owner;
    uint256 public month = 1;
    mapping(address => Band) public bands;

    event PlanChosen(address indexed band, Plan plan);
    event Booked(address indexed band, uint256 time, uint256 left);

    error NotEnough(uint256 left, uint256 wanted);

    constructor() {
        owner = payable(msg.sender);
    }

    function hoursOf(Plan plan) public pure returns (uint256) {
        if (plan == Plan.Garage) return 8;
        if (plan == Plan.Stage) return 40;
        return 0;
    }

    function feeOf(Plan plan) public pure returns (uint256) {
        return plan == Plan.Stage ? 0.003 ether : 0.001 ether;
    }

    /// The plan can be changed within a month; what was used of it stays used.
    function choose(Plan plan) external payable {
        require(plan != Plan.None, "no plan");
        require(msg.value >= feeOf(plan), "fee");
        Band storage b = bands[msg.sender];
        b.plan = plan;
        _turn(b);
        emit PlanChosen(msg.sender, plan);
    }

    function book(uint256 time) external {
        Band storage b = bands[msg.sender];
        require(b.plan != Plan.None, "no member");
        require(time > 0, "no time");
        _turn(b);
        uint256 limit = hoursOf(b.plan);
        uint256 used = b.used;
        uint256 left;
        assembly {
            // after a change to a smaller plan more may be used than it has
            if gt(limit, used) {
                left := sub(limit, used)
            }
        }
        if (left < time) revert NotEnough(left, time);
        unchecked {
            left -= time; // compared above
        }
        b.used = used + time;
        b.total += time;
        emit Booked(msg.sender, time, left);
    }

    function nextMonth() external {
        require(msg.sender == owner, "owner only");
        month += 1;
    }

    function collect() external {
        require(msg.sender == owner, "owner only");
        owner.transfer(address(this).balance);
    }

    function _turn(Band storage b) private {
        if (b.month != month) {
            b.month = month;
            b.used = 0;
        }
    }
}
