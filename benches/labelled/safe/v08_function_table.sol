// By design: the operation is picked from a table of internal functions, the index is tested against its length.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract FunctionTable {
    uint256 public constant OPS = 6;
    mapping(address => uint256) public accumulator;
    mapping(address => uint256) public steps;

    event Step(address indexed who, uint256 op, uint256 operand, uint256 result);

    error UnknownOp(uint256 op);
    error DivisionByZero();
    error LengthMismatch();

    function step(uint256 op, uint256 operand) external returns (uint256) {
        return _step(op, operand);
    }

    function run(uint256[] calldata ops, uint256[] calldata operands) external returns (uint256 result) {
        if (ops.length != operands.length) revert LengthMismatch();
        result = accumulator[msg.sender];
        for (uint256 i; i < ops.length; ++i) {
            result = _step(ops[i], operands[i]);
        }
    }

    function preview(uint256 op, uint256 a, uint256 b) public pure returns (uint256) {
        if (op >= OPS) revert UnknownOp(op);
        function(uint256, uint256) internal pure returns (uint256)[6] memory table;
        table[0] = _wrapAdd;
        table[1] = _wrapSub;
        table[2] = _wrapMul;
        table[3] = _div;
        table[4] = _rotate;
        table[5] = _mix;
        return table[op](a, b);
    }

    function _step(uint256 op, uint256 operand) private returns (uint256 result) {
        result = preview(op, accumulator[msg.sender], operand);
        accumulator[msg.sender] = result;
        steps[msg.sender] += 1;
        emit Step(msg.sender, op, operand, result);
    }

    // a machine word calculator: it wraps like the EVM
    function _wrapAdd(uint256 a, uint256 b) private pure returns (uint256) {
        unchecked {
            return a + b;
        }
    }

    function _wrapSub(uint256 a, uint256 b) private pure returns (uint256) {
        unchecked {
            return a - b;
        }
    }

    function _wrapMul(uint256 a, uint256 b) private pure returns (uint256) {
        unchecked {
            return a * b;
        }
    }

    function _div(uint256 a, uint256 b) private pure returns (uint256) {
        if (b == 0) revert DivisionByZero();
        return a / b;
    }

    function _rotate(uint256 a, uint256 b) private pure returns (uint256) {
        b &= 0xff;
        return b == 0 ? a : (a << b) | (a >> (256 - b));
    }

    function _mix(uint256 a, uint256 b) private pure returns (uint256) {
        return uint256(keccak256(abi.encodePacked(a, b)));
    }
}
