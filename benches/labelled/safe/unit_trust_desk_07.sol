// SPDX-License-Identifier: GPL-3.0
pragma solidity ^0.7.0;

library SafeMath {
    function add(uint256 a, uint256 b) internal pure returns (uint256 c) {
        c = a + b;
        require(c >= a, "SafeMath: add");
    }

    function sub(uint256 a, uint256 b) internal pure returns (uint256) {
        require(b <= a, "SafeMath: sub");
        return a - b;
    }

    function mul(uint256 a, uint256 b) internal pure returns (uint256 c) {
        if (a == 0) return 0;
        c = a * b;
        require(c / a == b, "SafeMath: mul");
    }
}

/// A unit trust. Trustees pay income in, nobody else changes the value of a unit.
contract UnitTrust {
    using SafeMath for uint256;

    address public immutable trustee;
    uint256 public totalUnits;
    uint256 public assets;
    mapping(address => uint256) public unitsOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Subscribed(address indexed holder, uint256 value, uint256 units);
    event Redeemed(address indexed holder, uint256 units, uint256 value);
    event Transfer(address indexed from, address indexed to, uint256 units);

    constructor() {
        trustee = msg.sender;
    }

    function navPerUnit() public view returns (uint256) {
        if (totalUnits == 0) return 1e18;
        return assets.mul(1e18) / totalUnits;
    }

    function subscribe() external payable returns (uint256 units) {
        require(msg.value >= 1e9, "trust: too little");
        units = totalUnits == 0 ? msg.value : msg.value.mul(totalUnits) / assets;
        require(units > 0, "trust: no unit");
        unitsOf[msg.sender] = unitsOf[msg.sender].add(units);
        totalUnits = totalUnits.add(units);
        assets = assets.add(msg.value);
        emit Subscribed(msg.sender, msg.value, units);
    }

    function redeem(uint256 units) external {
        require(units > 0 && units <= unitsOf[msg.sender], "trust: not enough units");
        uint256 value = units.mul(assets) / totalUnits;
        unitsOf[msg.sender] = unitsOf[msg.sender].sub(units);
        totalUnits = totalUnits.sub(units);
        assets = assets.sub(value);
        (bool ok, ) = msg.sender.call{value: value}("");
        require(ok, "trust: not taken");
        emit Redeemed(msg.sender, units, value);
    }

    function addIncome() external payable {
        require(msg.sender == trustee, "trust: trustee only");
        require(totalUnits > 0, "trust: empty");
        assets = assets.add(msg.value);
    }

    function approve(address spender, uint256 units) external returns (bool) {
        allowance[msg.sender][spender] = units;
        return true;
    }

    function transferFrom(address from, address to, uint256 units) external returns (bool) {
        require(to != address(0), "trust: nobody");
        allowance[from][msg.sender] = allowance[from][msg.sender].sub(units);
        unitsOf[from] = unitsOf[from].sub(units);
        unitsOf[to] = unitsOf[to].add(units);
        emit Transfer(from, to, units);
        return true;
    }
}

/// Takes units of the trust for 98 percent of their value.
contract UnitDesk {
    using SafeMath for uint256;

    UnitTrust public immutable trust;
    address payable public immutable dealer;

    event Bought(address indexed from, uint256 units, uint256 value);

    constructor(UnitTrust _trust) payable {
        trust = _trust;
        dealer = msg.sender;
    }

    receive() external payable {}

    function quote(uint256 units) public view returns (uint256) {
        return units.mul(trust.navPerUnit()).mul(98) / 100 / 1e18;
    }

    function sellUnits(uint256 units) external {
        uint256 value = quote(units);
        require(value > 0 && value <= address(this).balance, "desk: no capital");
        require(trust.transferFrom(msg.sender, address(this), units), "desk: no units");
        msg.sender.transfer(value);
        emit Bought(msg.sender, units, value);
    }

    function cashOut(uint256 units) external {
        require(msg.sender == dealer, "dealer only");
        trust.redeem(units);
    }

    function takeCapital(uint256 value) external {
        require(msg.sender == dealer, "dealer only");
        dealer.transfer(value);
    }
}
