// By design: early buyers gain when later ones buy; every unit can be sold back at its price on the curve.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract LinearCurve {
    uint256 public constant SLOPE = 1e9; // the k-th unit costs k * SLOPE wei
    uint256 public constant MAX_SUPPLY = 1e9;
    uint256 public constant FEE_BPS = 200;

    address public immutable owner;
    uint256 public supply;
    uint256 public reserve;
    uint256 public fees;
    mapping(address => uint256) public unitsOf;

    event Bought(address indexed who, uint256 units, uint256 cost);
    event Sold(address indexed who, uint256 units, uint256 received);
    event Moved(address indexed from, address indexed to, uint256 units);

    constructor() {
        owner = msg.sender;
    }

    /// the sum of SLOPE * k for k in from+1 .. from+units, exact
    function area(uint256 from, uint256 units) public pure returns (uint256) {
        require(from <= MAX_SUPPLY && units <= MAX_SUPPLY, "range");
        unchecked {
            // below 1e9 * 1e9 * 4e9
            return SLOPE * (units * (2 * from + units + 1) / 2);
        }
    }

    function buy(uint256 units) external payable {
        require(units > 0 && units <= MAX_SUPPLY - supply, "units");
        uint256 cost = area(supply, units);
        require(msg.value >= cost, "underpaid");
        supply += units;
        reserve += cost;
        unitsOf[msg.sender] += units;
        emit Bought(msg.sender, units, cost);
        uint256 change = msg.value - cost;
        if (change > 0) _pay(msg.sender, change);
    }

    function sell(uint256 units, uint256 minReceived) external {
        require(units > 0, "units");
        unitsOf[msg.sender] -= units;
        uint256 gross = area(supply - units, units);
        uint256 fee = gross * FEE_BPS / 10_000;
        uint256 net = gross - fee;
        require(net >= minReceived, "slippage");
        supply -= units;
        reserve -= gross;
        fees += fee;
        emit Sold(msg.sender, units, net);
        _pay(msg.sender, net);
    }

    function move(address to, uint256 units) external {
        require(to != address(0), "zero");
        unitsOf[msg.sender] -= units;
        unitsOf[to] += units;
        emit Moved(msg.sender, to, units);
    }

    function takeFees() external {
        require(msg.sender == owner, "owner only");
        uint256 amount = fees;
        fees = 0;
        _pay(owner, amount);
    }

    function _pay(address to, uint256 amount) private {
        (bool ok,) = to.call{value: amount}("");
        require(ok, "payment failed");
    }
}
