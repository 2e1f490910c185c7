// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract NameRegistrar {
    struct Record {
        address owner;
        address resolvesTo;
        uint64 registeredAt;
        uint64 expiresAt;
    }

    uint256 public constant PERIOD = 365 days;

    address public owner;
    address payable public feeRecipient;
    uint256 public feePerYear;
    uint256 public collectable;
    mapping(bytes32 => Record) public records;
    mapping(address => uint256) public namesOf;

    event Registered(bytes32 indexed node, address indexed owner, uint256 expiresAt);
    event Resolves(bytes32 indexed node, address indexed to);
    event FeeRecipientChanged(address indexed from, address indexed to);
    event Collected(address indexed to, uint256 amount);

    error NotOwner();
    error Taken(bytes32 node);

    modifier onlyOwner() {
        if (msg.sender != owner) revert NotOwner();
        _;
    }

    constructor(address payable recipient, uint32 feeInGwei) {
        require(recipient != address(0), "no recipient");
        owner = msg.sender;
        feeRecipient = recipient;
        feePerYear = uint256(feeInGwei) * 1 gwei;
    }

    function register(bytes32 node) external payable {
        Record storage r = records[node];
        if (r.owner != address(0) && block.timestamp < r.expiresAt) revert Taken(node);
        require(msg.value > 0 && msg.value >= feePerYear, "fee");
        if (r.owner != address(0)) {
            namesOf[r.owner] -= 1;
        }
        records[node] = Record(msg.sender, msg.sender, uint64(block.timestamp), uint64(block.timestamp + PERIOD));
        namesOf[msg.sender] += 1;
        collectable += msg.value;
        emit Registered(node, msg.sender, block.timestamp + PERIOD);
    }

    function resolveTo(bytes32 node, address to) external {
        if (records[node].owner != msg.sender) revert NotOwner();
        records[node].resolvesTo = to;
        emit Resolves(node, to);
    }

    function setFeePerYear(uint256 fee) external onlyOwner {
        require(fee <= 1 ether, "too much");
        feePerYear = fee;
    }

    function setFeeRecipient(address payable recipient) external {
        require(recipient != address(0), "no recipient");
        emit FeeRecipientChanged(feeRecipient, recipient);
        feeRecipient = recipient;
    }

    function collect() external {
        uint256 amount = collectable;
        require(amount > 0, "nothing to collect");
        collectable = 0;
        emit Collected(feeRecipient, amount);
        feeRecipient.transfer(amount); //~ ERROR ether-theft
    }
}
