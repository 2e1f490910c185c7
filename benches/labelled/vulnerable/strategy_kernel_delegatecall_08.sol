// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Where authors of strategies publish their code.
contract StrategyRegistry {
    struct Entry {
        address code;
        address author;
        uint64 publishedAt;
        bool retired;
    }

    mapping(bytes32 => Entry) private entries;

    event Published(bytes32 indexed id, address code, address indexed author);
    event Retired(bytes32 indexed id);

    function publish(bytes32 id, address code) external {
        require(code != address(0), "no code");
        require(entries[id].author == address(0), "taken");
        entries[id] = Entry(code, msg.sender, uint64(block.timestamp), false);
        emit Published(id, code, msg.sender);
    }

    function retire(bytes32 id) external {
        require(entries[id].author == msg.sender, "not the author");
        entries[id].retired = true;
        emit Retired(id);
    }

    function codeOf(bytes32 id) external view returns (address) {
        Entry storage entry = entries[id];
        require(entry.code != address(0) && !entry.retired, "no such strategy");
        return entry.code;
    }
}

/// A vault whose keepers run strategies of the registry on its funds.
contract StrategyKernel {
    StrategyRegistry public immutable registry;
    mapping(address => uint256) public deposits;
    uint256 public totalDeposits;
    uint256 public runs;
    bool private running;

    event Deposited(address indexed who, uint256 amount);
    event Ran(bytes32 indexed id, address indexed keeper);

    constructor(StrategyRegistry registry_) {
        registry = registry_;
    }

    function deposit() external payable {
        deposits[msg.sender] += msg.value;
        totalDeposits += msg.value;
        emit Deposited(msg.sender, msg.value);
    }

    function withdraw(uint256 amount) external {
        require(!running, "running");
        deposits[msg.sender] -= amount;
        totalDeposits -= amount;
        payable(msg.sender).transfer(amount);
    }

    function run(bytes32 id, bytes calldata data) external {
        require(!running, "running");
        running = true;
        address code = registry.codeOf(id);
        (bool ok, ) = code.delegatecall(data); //~ ERROR delegatecall
        require(ok, "strategy failed");
        running = false;
        runs++;
        emit Ran(id, msg.sender);
    }
}
