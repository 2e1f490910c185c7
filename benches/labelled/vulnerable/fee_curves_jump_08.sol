// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// A checkout for merchants. The fee of a payment follows a curve between a floor and a cap.
contract FeeCurves {
    struct Plan {
        function(uint256) internal view returns (uint256) curve;
        uint256 floor;
        uint256 cap;
    }

    address payable public immutable operator = payable(msg.sender);
    uint256 public rate = 30;
    uint256 public fees;
    uint256 public quotes;
    mapping(address => uint256) public earnings;
    mapping(address => bool) public isVolumeMerchant;

    event Paid(address indexed payer, address indexed merchant, uint256 amount, uint256 fee);
    event Quoted(address indexed asker, uint256 amount, uint256 fee);

    modifier onlyOperator() {
        require(msg.sender == operator, "not the operator");
        _;
    }

    function setRate(uint256 value) external onlyOperator {
        require(value <= 100, "too high");
        rate = value;
    }

    function setVolumeMerchant(address merchant, bool value) external onlyOperator {
        isVolumeMerchant[merchant] = value;
    }

    function collect() external onlyOperator {
        _collect();
    }

    function pay(address merchant) external payable {
        require(msg.value > 0 && merchant != address(0), "bad payment");
        uint256 fee = _bounded(_planOf(merchant), msg.value);
        fees += fee;
        earnings[merchant] += msg.value - fee;
        emit Paid(msg.sender, merchant, msg.value, fee);
    }

    function withdraw() external {
        uint256 amount = earnings[msg.sender];
        require(amount > 0, "nothing earned");
        earnings[msg.sender] = 0;
        payable(msg.sender).transfer(amount);
    }

    /// What the fee would be if one field of the plan had another value.
    function quoteWith(uint256 amount, uint256 field, uint256 value) external returns (uint256 fee) {
        require(amount < 1e30, "too large");
        require(field < 3, "no such field");
        Plan memory plan = _planOf(msg.sender);
        assembly {
            mstore(add(plan, shl(5, field)), value)
        }
        quotes += 1;
        fee = plan.curve(amount); //~ ERROR arbitrary-jump
        if (fee < plan.floor) fee = plan.floor;
        if (fee > plan.cap) fee = plan.cap;
        emit Quoted(msg.sender, amount, fee);
    }

    function _planOf(address merchant) private view returns (Plan memory) {
        if (isVolumeMerchant[merchant]) {
            return Plan(_degressive, 0, 1 ether);
        }
        return Plan(_linear, 1, 5 ether);
    }

    function _bounded(Plan memory plan, uint256 amount) private view returns (uint256 fee) {
        fee = plan.curve(amount);
        if (fee < plan.floor) fee = plan.floor;
        if (fee > plan.cap) fee = plan.cap;
        if (fee > amount) fee = amount;
    }

    function _linear(uint256 amount) private view returns (uint256) {
        return amount * rate / 10000;
    }

    function _degressive(uint256 amount) private view returns (uint256) {
        uint256 half = amount / 2;
        return half * rate / 10000 + (amount - half) * rate / 20000;
    }

    function _collect() private {
        uint256 amount = fees;
        fees = 0;
        operator.transfer(amount);
    }
}
