// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Names are rented for some years.
contract NameRegistry { //~ ERROR frozen-ether
    struct Record {
        address holder;
        address target;
        uint256 expiresAt;
    }

    address public owner = msg.sender;
    uint256 public feePerYear = 1 gwei;
    uint256 public treasury;
    mapping(bytes32 => Record) private records;
    mapping(address => bytes32) public primaryName;

    event Registered(bytes32 indexed name, address indexed holder, uint256 expiresAt);
    event Renewed(bytes32 indexed name, uint256 expiresAt);
    event TargetSet(bytes32 indexed name, address target);
    event Collected(uint256 amount);

    modifier onlyHolder(bytes32 name) {
        require(holderOf(name) == msg.sender, "not the holder");
        _;
    }

    function setFee(uint256 fee) external {
        require(msg.sender == owner, "not the owner");
        require(fee <= 1 ether, "too high");
        feePerYear = fee;
    }

    function register(bytes32 name, uint256 numberOfYears) external payable {
        require(name != bytes32(0), "no name");
        require(holderOf(name) == address(0), "taken");
        _charge(numberOfYears);
        uint256 expiresAt = block.timestamp + numberOfYears * 365 days;
        records[name] = Record(msg.sender, msg.sender, expiresAt);
        emit Registered(name, msg.sender, expiresAt);
    }

    function renew(bytes32 name, uint256 numberOfYears) external payable onlyHolder(name) {
        _charge(numberOfYears);
        records[name].expiresAt += numberOfYears * 365 days;
        emit Renewed(name, records[name].expiresAt);
    }

    function setTarget(bytes32 name, address target) external onlyHolder(name) {
        records[name].target = target;
        emit TargetSet(name, target);
    }

    function setPrimary(bytes32 name) external onlyHolder(name) {
        primaryName[msg.sender] = name;
    }

    function transferName(bytes32 name, address to) external onlyHolder(name) {
        require(to != address(0), "nobody");
        records[name].holder = to;
    }

    /// Closes the books of the period.
    function collect() external {
        require(msg.sender == owner, "not the owner");
        uint256 amount = treasury;
        treasury = 0;
        emit Collected(amount);
    }

    function holderOf(bytes32 name) public view returns (address) {
        Record storage record = records[name];
        return block.timestamp < record.expiresAt ? record.holder : address(0);
    }

    function resolve(bytes32 name) external view returns (address) {
        return holderOf(name) == address(0) ? address(0) : records[name].target;
    }

    function _charge(uint256 numberOfYears) private {
        require(numberOfYears > 0 && numberOfYears <= 10, "wrong time");
        require(msg.value == feePerYear * numberOfYears, "wrong fee");
        treasury += msg.value;
    }
}

/// Looks several names up at once.
contract NameReader {
    NameRegistry public immutable registry;

    constructor(NameRegistry registry_) {
        registry = registry_;
    }

    function resolveAll(bytes32[] calldata names) external view returns (address[] memory targets) {
        targets = new address[](names.length);
        for (uint256 i = 0; i < names.length; i++) {
            targets[i] = registry.resolve(names[i]);
        }
    }
}
