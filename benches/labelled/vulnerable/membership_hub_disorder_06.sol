// SPDX-License-Identifier: MIT
pragma solidity ^0.6.11;

/// Points of the members. Nobody can have more than the limit.
contract PointsLedger {
    uint256 public constant LIMIT = 1000;

    address public hub;
    uint256 public issued;
    mapping(address => uint256) public pointsOf;

    event Awarded(address indexed who, uint256 points);
    event Spent(address indexed who, uint256 points);

    constructor() public {
        hub = msg.sender;
    }

    function award(address who, uint256 points) external {
        require(msg.sender == hub, "not the hub");
        require(points <= LIMIT, "too many");
        require(pointsOf[who] <= LIMIT - points, "over the limit");
        pointsOf[who] += points;
        issued += points;
        emit Awarded(who, points);
    }

    function spend(uint256 points) external {
        require(points <= pointsOf[msg.sender], "not that many");
        pointsOf[msg.sender] -= points;
        issued -= points;
        emit Spent(msg.sender, points);
    }
}

/// Sells membership points, one for each gwei.
contract MembershipHub {
    PointsLedger public ledger;
    address payable public club;
    mapping(address => uint256) public purchases;
    uint256 public revenue;
    bool public open = true;

    event Purchased(address indexed who, uint256 points);

    constructor() public {
        club = msg.sender;
        ledger = new PointsLedger();
    }

    function setOpen(bool value) external {
        require(msg.sender == club, "not the club");
        open = value;
    }

    function purchase() external payable {
        require(open, "closed");
        require(msg.value >= 1 gwei && msg.value % 1 gwei == 0, "whole points only");
        uint256 points = msg.value / 1 gwei;
        purchases[msg.sender]++;
        revenue += msg.value;
        address(ledger).call(abi.encodeWithSelector(ledger.award.selector, msg.sender, points)); //~ ERROR exception-disorder
        emit Purchased(msg.sender, points);
    }

    function collect() external {
        require(msg.sender == club, "not the club");
        uint256 amount = revenue;
        revenue = 0;
        club.transfer(amount);
    }
}
