// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @notice Ether that is locked here is minted on the other chain, and the other way around.
contract BridgePortal {
    struct Account {
        uint96 balance;
        uint64 exits;
        uint64 lastExit;
        bool frozen;
    }

    address public immutable relayer;
    uint256 public immutable remoteChain;
    uint256 public outbox;
    mapping(address => Account) public accounts;
    mapping(address => uint256) public mintedRemotely;
    mapping(bytes32 => bool) public handled;

    event Locked(address indexed who, uint256 amount);
    event ExitRequested(uint256 indexed chain, address indexed to, uint256 amount);
    event Released(address indexed to, uint256 amount, bytes32 message);

    modifier onlyRelayer() {
        require(msg.sender == relayer, "relayer only");
        _;
    }

    constructor(uint256 remoteChain_) {
        relayer = msg.sender;
        remoteChain = remoteChain_;
    }

    function lock() external payable {
        require(msg.value > 0 && msg.value <= 1_000_000 ether, "amount");
        accounts[msg.sender].balance += uint96(msg.value);
        emit Locked(msg.sender, msg.value);
    }

    /// @notice Has the amount minted to a receiver on the other chain.
    function requestExit(address to, uint256 amount) external {
        Account storage a = accounts[msg.sender];
        require(!a.frozen, "frozen");
        require(to != address(0) && amount > 0, "nothing to do");
        a.balance -= uint96(amount); //~ ERROR overflow
        a.exits += 1;
        a.lastExit = uint64(block.timestamp);
        mintedRemotely[to] += amount;
        outbox += 1;
        emit ExitRequested(remoteChain, to, amount);
    }

    function release(address payable to, uint256 amount, bytes32 message) external onlyRelayer {
        require(!handled[message], "handled");
        require(amount <= mintedRemotely[to], "not minted");
        handled[message] = true;
        mintedRemotely[to] -= amount;
        emit Released(to, amount, message);
        to.transfer(amount);
    }

    function setFrozen(address who, bool value) external onlyRelayer {
        accounts[who].frozen = value;
    }
}
