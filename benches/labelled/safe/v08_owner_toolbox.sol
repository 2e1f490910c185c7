// By design: the owner alone may delegatecall, write raw slots, sweep and selfdestruct; nobody else has money here.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface IERC20Sweep {
    function transfer(address to, uint256 amount) external returns (bool);
    function balanceOf(address who) external view returns (uint256);
}

contract OwnerToolbox {
    address private _owner;
    address private _pending;

    event OwnerChanged(address indexed from, address indexed to);
    event SlotWritten(bytes32 indexed slot, bytes32 value);

    error NotOwner();
    error NotPending();
    error Failed();

    modifier onlyOwner() {
        if (msg.sender != _owner) revert NotOwner();
        _;
    }

    constructor() payable {
        _owner = msg.sender;
    }

    receive() external payable {
        // only the owner funds it, so nothing of others can be swept
        if (msg.sender != _owner) revert NotOwner();
    }

    function owner() external view returns (address) {
        return _owner;
    }

    function offer(address to) external onlyOwner {
        _pending = to;
    }

    function accept() external {
        if (msg.sender != _pending) revert NotPending();
        emit OwnerChanged(_owner, msg.sender);
        _owner = msg.sender;
        _pending = address(0);
    }

    function runScript(address script, bytes calldata data) external payable onlyOwner returns (bytes memory) {
        require(script.code.length > 0, "no code");
        (bool ok, bytes memory out) = script.delegatecall(data);
        if (!ok) revert Failed();
        return out;
    }

    function callOut(address target, uint256 value, bytes calldata data)
        external
        payable
        onlyOwner
        returns (bool ok, bytes memory out)
    {
        (ok, out) = target.call{value: value}(data);
    }

    function writeSlot(bytes32 slot, bytes32 value) external onlyOwner {
        assembly {
            sstore(slot, value)
        }
        emit SlotWritten(slot, value);
    }

    function readSlot(bytes32 slot) external view returns (bytes32 value) {
        assembly {
            value := sload(slot)
        }
    }

    function sweep(IERC20Sweep token, address to) external onlyOwner {
        require(to != address(0), "zero");
        if (address(token) == address(0)) {
            (bool ok,) = to.call{value: address(this).balance}("");
            if (!ok) revert Failed();
        } else if (!token.transfer(to, token.balanceOf(address(this)))) {
            revert Failed();
        }
    }

    function destroy(address payable to) external onlyOwner {
        require(to != address(0), "zero");
        selfdestruct(to);
    }
}
