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

/// An open fund: units are issued and redeemed at the net asset value.
contract OpenFund {
    using SafeMath for uint256;

    address public immutable manager;
    uint256 public totalUnits;
    uint256 public assets;
    mapping(address => uint256) public unitsOf;
    mapping(address => mapping(address => uint256)) public allowance;
    uint256 private status = 1;

    event Subscribed(address indexed holder, uint256 value, uint256 units);
    event Redeemed(address indexed holder, uint256 units, uint256 value);
    event Transfer(address indexed from, address indexed to, uint256 units);

    modifier nonReentrant() {
        require(status == 1, "fund: reentrant");
        status = 2;
        _;
        status = 1;
    }

    constructor() {
        manager = msg.sender;
    }

    /// Ether per unit, with 18 decimals.
    function navPerUnit() public view returns (uint256) {
        if (totalUnits == 0) return 1e18;
        return assets.mul(1e18) / totalUnits;
    }

    function subscribe() external payable nonReentrant returns (uint256 units) {
        require(msg.value >= 1e9, "fund: too little");
        units = totalUnits == 0 ? msg.value : msg.value.mul(totalUnits) / assets;
        require(units > 0, "fund: no unit");
        unitsOf[msg.sender] = unitsOf[msg.sender].add(units);
        totalUnits = totalUnits.add(units);
        assets = assets.add(msg.value);
        emit Subscribed(msg.sender, msg.value, units);
    }

    function redeem(uint256 units) external nonReentrant {
        uint256 value = units.mul(assets) / totalUnits;
        unitsOf[msg.sender] = unitsOf[msg.sender].sub(units);
        totalUnits = totalUnits.sub(units);
        (bool ok, ) = msg.sender.call{value: value}(""); //~ ERROR reentrancy
        require(ok, "fund: not taken");
        assets = assets.sub(value);
        emit Redeemed(msg.sender, units, value);
    }

    function addIncome() external payable nonReentrant {
        require(msg.sender == manager, "fund: manager only");
        require(totalUnits > 0, "fund: empty");
        assets = assets.add(msg.value);
    }

    function approve(address spender, uint256 units) external returns (bool) {
        allowance[msg.sender][spender] = units;
        return true;
    }

    function transferFrom(address from, address to, uint256 units) external returns (bool) {
        require(to != address(0), "fund: nobody");
        allowance[from][msg.sender] = allowance[from][msg.sender].sub(units);
        unitsOf[from] = unitsOf[from].sub(units);
        unitsOf[to] = unitsOf[to].add(units);
        emit Transfer(from, to, units);
        return true;
    }
}

/// Takes units at any time of the day, for 98 percent of their value.
contract UnitDealer {
    using SafeMath for uint256;

    OpenFund public immutable fund;
    address payable public immutable dealer;
    uint256 public constant PERCENT = 98;

    event Capital(uint256 value);
    event Bought(address indexed from, uint256 units, uint256 value);

    constructor(OpenFund _fund) payable {
        fund = _fund;
        dealer = msg.sender;
    }

    receive() external payable {
        emit Capital(msg.value);
    }

    function quote(uint256 units) public view returns (uint256) {
        return units.mul(fund.navPerUnit()).mul(PERCENT) / 100 / 1e18;
    }

    function sellUnits(uint256 units) external {
        uint256 value = quote(units);
        require(value > 0 && value <= address(this).balance, "dealer: no capital");
        require(fund.transferFrom(msg.sender, address(this), units), "dealer: no units");
        msg.sender.transfer(value);
        emit Bought(msg.sender, units, value);
    }

    function cashOut(uint256 units) external {
        require(msg.sender == dealer, "dealer only");
        fund.redeem(units);
    }

    function takeCapital(uint256 value) external {
        require(msg.sender == dealer, "dealer only");
        dealer.transfer(value);
    }
}
