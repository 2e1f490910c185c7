// SPDX-License-Identifier: MIT
pragma solidity ^0.8.4;

abstract contract Managed {
    address payable public manager;

    error NotManager(address who);

    constructor() {
        manager = payable(msg.sender);
    }

    modifier onlyManager() {
        if (msg.sender != manager) revert NotManager(msg.sender);
        _;
    }
}

/// Members of a workshop choose a plan, which has minutes at the machines for each period.
contract WorkshopPlans is Managed {
    enum Plan {
        None,
        Hobby,
        Maker,
        Studio
    }

    struct Member {
        Plan plan;
        uint256 period;
        uint256 used;
        uint256 total;
    }

    uint256 public constant HOBBY_FEE = 0.001 ether;
    uint256 public constant MAKER_FEE = 0.002 ether;
    uint256 public constant STUDIO_FEE = 0.003 ether;

    uint256 public period = 1;
    mapping(address => Member) public members;

    event PlanChosen(address indexed member, Plan plan);
    event Booked(address indexed member, uint256 time, uint256 left);
    event PeriodStarted(uint256 period);

    function minutesOf(Plan plan) public pure returns (uint256) {
        if (plan == Plan.Hobby) return 60;
        if (plan == Plan.Maker) return 240;
        if (plan == Plan.Studio) return 960;
        return 0;
    }

    function feeOf(Plan plan) public pure returns (uint256) {
        if (plan == Plan.Hobby) return HOBBY_FEE;
        if (plan == Plan.Maker) return MAKER_FEE;
        if (plan == Plan.Studio) return STUDIO_FEE;
        return 0;
    }

    /// The plan can be changed within a period; what was used of it stays used.
    function choose(Plan plan) external payable {
        require(plan != Plan.None, "no plan");
        require(msg.value >= feeOf(plan), "fee");
        Member storage m = members[msg.sender];
        m.plan = plan;
        _turn(m);
        emit PlanChosen(msg.sender, plan);
    }

    function book(uint256 time) external {
        Member storage m = members[msg.sender];
        require(m.plan != Plan.None, "no member");
        require(time > 0, "no time");
        _turn(m);
        uint256 limit = minutesOf(m.plan);
        uint256 used = m.used;
        uint256 left;
        assembly {
            left := sub(limit, used) //~ ERROR overflow
            if lt(left, time) {
                mstore(0, 0)
                revert(0, 0)
            }
            left := sub(left, time)
        }
        m.used = used + time;
        m.total += time;
        emit Booked(msg.sender, time, left);
    }

    function startPeriod() external onlyManager {
        period += 1;
        emit PeriodStarted(period);
    }

    function collectFees() external onlyManager {
        manager.transfer(address(this).balance);
    }

    function _turn(Member storage m) private {
        if (m.period != period) {
            m.period = period;
            m.used = 0;
        }
    }
}
