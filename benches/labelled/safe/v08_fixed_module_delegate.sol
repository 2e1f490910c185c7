// By design: the books are written by delegatecall to one module fixed at construction, with the same storage layout.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.11;

abstract contract LedgerStorage {
    mapping(address => uint256) internal _balances;
    uint256 internal _total;
}

contract LedgerModule is LedgerStorage {
    address private immutable _self = address(this);

    event Credited(address indexed who, uint256 amount);
    event Debited(address indexed who, uint256 amount);

    modifier onlyDelegated() {
        require(address(this) != _self, "library only");
        _;
    }

    function credit(address who, uint256 amount) external payable onlyDelegated {
        _balances[who] += amount;
        _total += amount;
        emit Credited(who, amount);
    }

    function debit(address who, uint256 amount) external onlyDelegated returns (uint256 left) {
        require(_balances[who] >= amount, "balance");
        unchecked {
            left = _balances[who] - amount;
        }
        _balances[who] = left;
        _total -= amount;
        emit Debited(who, amount);
    }
}

contract ModularVault is LedgerStorage {
    address public immutable module;

    constructor() {
        module = address(new LedgerModule());
    }

    function deposit() external payable {
        _run(abi.encodeCall(LedgerModule.credit, (msg.sender, msg.value)));
    }

    function withdraw(uint256 amount) external returns (uint256 left) {
        left = abi.decode(_run(abi.encodeCall(LedgerModule.debit, (msg.sender, amount))), (uint256));
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok, "payment failed");
    }

    function balanceOf(address who) external view returns (uint256) {
        return _balances[who];
    }

    function total() external view returns (uint256) {
        return _total;
    }

    function _run(bytes memory data) private returns (bytes memory out) {
        bool ok;
        (ok, out) = module.delegatecall(data);
        if (!ok) {
            assembly {
                revert(add(out, 32), mload(out))
            }
        }
    }
}
