// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @dev Several calls of this contract in one transaction.
abstract contract Batch {
    error CallFailed(uint256 index);

    function batch(bytes[] calldata calls) external returns (bytes[] memory results) {
        results = new bytes[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            (bool ok, bytes memory result) = address(this).delegatecall(calls[i]);
            if (!ok) {
                if (result.length == 0) revert CallFailed(i);
                assembly {
                    revert(add(result, 0x20), mload(result))
                }
            }
            results[i] = result;
        }
    }
}

abstract contract Pausable {
    address public immutable warden;
    bool public paused;

    event PausedSet(bool paused);

    constructor() {
        warden = msg.sender;
    }

    modifier whenNotPaused() {
        require(!paused, "paused");
        _;
    }

    function setPaused(bool value) external {
        require(msg.sender == warden, "warden only");
        paused = value;
        emit PausedSet(value);
    }
}

/// @title Commitments for a token launch
/// @notice Members put ether into pots. Until the launch it can be moved from pot to pot, or taken out.
contract RoundPots is Batch, Pausable {
    uint256 public constant POTS = 4;

    address payable public immutable project;
    uint256 public immutable launchAt;
    uint256[POTS] public potTotal;
    mapping(address => uint256[POTS]) private _inPot;

    event Committed(address indexed member, uint256 indexed pot, uint256 amount);
    event Moved(address indexed member, uint256 indexed from, uint256 indexed to, uint256 amount);
    event TakenOut(address indexed member, uint256 indexed pot, uint256 amount);
    event Launched(uint256 amount);

    constructor(address payable project_, uint256 launchInDays) {
        require(project_ != address(0), "project");
        require(launchInDays > 0 && launchInDays <= 365, "launch");
        project = project_;
        launchAt = block.timestamp + launchInDays * 1 days;
    }

    modifier beforeLaunch() {
        require(block.timestamp < launchAt, "launched");
        _;
    }

    function commit(uint256 pot) external payable whenNotPaused beforeLaunch {
        require(pot < POTS, "no such pot");
        require(msg.value >= 0.001 ether, "too little");
        _inPot[msg.sender][pot] += msg.value;
        potTotal[pot] += msg.value;
        emit Committed(msg.sender, pot, msg.value);
    }

    function move(uint256 from, uint256 to, uint256 amount) external whenNotPaused beforeLaunch {
        require(from < POTS && to < POTS, "no such pot");
        _inPot[msg.sender][from] -= amount;
        potTotal[from] -= amount;
        _inPot[msg.sender][to] += amount;
        potTotal[to] += amount;
        emit Moved(msg.sender, from, to, amount);
    }

    function takeOut(uint256 pot, uint256 amount) external beforeLaunch {
        _inPot[msg.sender][pot] -= amount;
        potTotal[pot] -= amount;
        emit TakenOut(msg.sender, pot, amount);
        payable(msg.sender).transfer(amount);
    }

    function launch() external {
        require(block.timestamp >= launchAt, "too early");
        uint256 amount = address(this).balance;
        emit Launched(amount);
        project.transfer(amount);
    }

    function inPot(address member, uint256 pot) external view returns (uint256) {
        return _inPot[member][pot];
    }
}
