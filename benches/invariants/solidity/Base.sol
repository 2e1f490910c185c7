// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @notice The cheatcodes that these tests use.
interface Vm {
    function warp(uint256 timestamp) external;
    function roll(uint256 number) external;
    function deal(address account, uint256 balance) external;
    function prank(address sender) external;
    function startPrank(address sender) external;
    function stopPrank() external;
    function assume(bool condition) external pure;
    function skip(bool skipTest) external;
    function expectRevert() external;
    function expectRevert(bytes4 selector) external;
    function label(address account, string calldata name) external;
    function toString(uint256 value) external pure returns (string memory);
    function assertTrue(bool condition) external pure;
    function assertTrue(bool condition, string calldata reason) external pure;
    function assertEq(uint256 left, uint256 right) external pure;
    function assertEq(uint256 left, uint256 right, string calldata reason) external pure;
    function assertLe(uint256 left, uint256 right) external pure;
    function assertGe(uint256 left, uint256 right, string calldata reason) external pure;
}

/// @notice Where the cheatcodes are.
abstract contract UsesVm {
    Vm internal constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);

    /// @notice Moves a number into a range, and leaves it as it is if it lies there.
    function bound(uint256 value, uint256 low, uint256 high) internal pure returns (uint256) {
        require(low <= high, "bound: empty range");
        if (value >= low && value <= high) return value;
        uint256 size = high - low + 1;
        return low + value % size;
    }
}

/// @notice Assertions that revert, with the reasons that forge's own have.
abstract contract Assertions is UsesVm {
    function assertTrue(bool condition) internal pure {
        if (!condition) revert("assertion failed");
    }

    function assertTrue(bool condition, string memory reason) internal pure {
        if (!condition) revert(reason);
    }

    function assertEq(uint256 left, uint256 right) internal pure {
        if (left != right) revert(_difference("", left, " != ", right));
    }

    function assertEq(uint256 left, uint256 right, string memory reason) internal pure {
        if (left != right) revert(_difference(reason, left, " != ", right));
    }

    function assertLe(uint256 left, uint256 right) internal pure {
        if (left > right) revert(_difference("", left, " > ", right));
    }

    function assertLe(uint256 left, uint256 right, string memory reason) internal pure {
        if (left > right) revert(_difference(reason, left, " > ", right));
    }

    function _difference(string memory reason, uint256 left, string memory sign, uint256 right)
        private
        pure
        returns (string memory)
    {
        string memory start = bytes(reason).length == 0 ? "assertion failed" : reason;
        return string.concat(start, ": ", vm.toString(left), sign, vm.toString(right));
    }
}

/// @notice What a test contract tells forge about whom to call, from whom. The signatures are forge-std's.
abstract contract Targets {
    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    struct FuzzArtifactSelector {
        string artifact;
        bytes4[] selectors;
    }

    struct FuzzInterface {
        address addr;
        string[] artifacts;
    }

    address[] private _targetContracts;
    address[] private _excludeContracts;
    address[] private _targetSenders;
    address[] private _excludeSenders;
    FuzzSelector[] private _targetSelectors;
    FuzzSelector[] private _excludeSelectors;
    string[] private _targetArtifacts;
    string[] private _excludeArtifacts;
    FuzzArtifactSelector[] private _targetArtifactSelectors;
    FuzzInterface[] private _targetInterfaces;

    function targetContract(address account) internal {
        _targetContracts.push(account);
    }

    function excludeContract(address account) internal {
        _excludeContracts.push(account);
    }

    function targetSender(address account) internal {
        _targetSenders.push(account);
    }

    function excludeSender(address account) internal {
        _excludeSenders.push(account);
    }

    function targetSelector(FuzzSelector memory selector) internal {
        _targetSelectors.push(selector);
    }

    /// @notice Has one function called. The same as `targetSelector` with a list of one.
    function targetFunction(address account, bytes4 selector) internal {
        targetSelector(FuzzSelector(account, _one(selector)));
    }

    function excludeSelector(FuzzSelector memory selector) internal {
        _excludeSelectors.push(selector);
    }

    /// @notice Has one function left out. The same as `excludeSelector` with a list of one.
    function excludeFunction(address account, bytes4 selector) internal {
        excludeSelector(FuzzSelector(account, _one(selector)));
    }

    function targetArtifact(string memory artifact) internal {
        _targetArtifacts.push(artifact);
    }

    function excludeArtifact(string memory artifact) internal {
        _excludeArtifacts.push(artifact);
    }

    function targetArtifactSelector(FuzzArtifactSelector memory selector) internal {
        _targetArtifactSelectors.push(selector);
    }

    function targetInterface(FuzzInterface memory target) internal {
        _targetInterfaces.push(target);
    }

    function targetContracts() public view returns (address[] memory) {
        return _targetContracts;
    }

    function excludeContracts() public view returns (address[] memory) {
        return _excludeContracts;
    }

    function targetSenders() public view returns (address[] memory) {
        return _targetSenders;
    }

    function excludeSenders() public view returns (address[] memory) {
        return _excludeSenders;
    }

    function targetSelectors() public view returns (FuzzSelector[] memory) {
        return _targetSelectors;
    }

    function excludeSelectors() public view returns (FuzzSelector[] memory) {
        return _excludeSelectors;
    }

    function targetArtifacts() public view returns (string[] memory) {
        return _targetArtifacts;
    }

    function excludeArtifacts() public view returns (string[] memory) {
        return _excludeArtifacts;
    }

    function targetArtifactSelectors() public view returns (FuzzArtifactSelector[] memory) {
        return _targetArtifactSelectors;
    }

    function targetInterfaces() public view returns (FuzzInterface[] memory) {
        return _targetInterfaces;
    }

    function _one(bytes4 selector) private pure returns (bytes4[] memory selectors) {
        selectors = new bytes4[](1);
        selectors[0] = selector;
    }
}

/// @notice The base of all test contracts here.
abstract contract Base is Assertions, Targets {
    bool public constant IS_TEST = true;
}
