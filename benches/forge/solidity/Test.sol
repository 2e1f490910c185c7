// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface Vm {
    function deal(address, uint256) external;
    function prank(address) external;
}

/// What every harness here has: four accounts, of which the first deploys.
abstract contract Accounts {
    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    address internal constant OWNER = address(0xf00d);
    uint256 internal constant WEALTH = 1_000_000 ether;

    function _senders() internal pure returns (address[] memory senders) {
        senders = new address[](4);
        (senders[0], senders[1]) = (OWNER, address(0xa11ce));
        (senders[2], senders[3]) = (address(0xb0b), address(0xca401));
    }
}

/// Every test is one call with fuzzed arguments and one of the senders.
abstract contract Stateless is Accounts {
    bool public constant IS_TEST = true;

    function _call(address target, uint8 sender, uint256 value, bytes memory data) internal {
        value %= WEALTH;
        address from = _senders()[sender % 4];
        if (value > 0) vm.deal(from, value);
        vm.prank(from);
        (bool ok, ) = target.call{value: value}(data);
        ok;
    }
}

/// Whatever is pushed to the targets is called in any order.
abstract contract Stateful is Accounts {
    bool public constant IS_TEST = true;
    address[] internal _targets;

    function targetContracts() external view returns (address[] memory) {
        return _targets;
    }

    function targetSenders() external pure returns (address[] memory) {
        return _senders();
    }
}

/// Calls on behalf of whoever calls it, sends ether along, and remembers an assertion that failed: this release of forge
/// counts no reverts that a handler does not pass on, and passing on all would count every refusal.
abstract contract Handler is Accounts {
    bool public failed;

    function _call(address target, uint256 value, bytes memory data) internal {
        value %= WEALTH;
        if (value > 0) vm.deal(msg.sender, value);
        vm.prank(msg.sender);
        (bool ok, bytes memory why) = target.call{value: value}(data);
        if (!ok && keccak256(why) == keccak256(abi.encodeWithSignature("Panic(uint256)", 1))) failed = true;
    }
}

/// The calls of a handler, and no assertion may fail.
abstract contract Asserting is Stateful {
    Handler internal _handler;

    function invariant_noAssertionFails() external view {
        require(!_handler.failed());
    }
}
