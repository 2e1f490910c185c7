// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

abstract contract OwnerSet {
    mapping(address => bool) public isOwner;
    uint256 public ownerCount;
    uint256 public threshold;

    event OwnerAdded(address indexed owner);
    event ThresholdSet(uint256 threshold);

    modifier onlySelf() {
        require(msg.sender == address(this), "self only");
        _;
    }

    function _setupOwners(address[] memory owners, uint256 threshold_) internal {
        require(threshold == 0, "set up already");
        require(threshold_ > 0 && threshold_ <= owners.length, "threshold");
        for (uint256 i = 0; i < owners.length; i++) {
            require(owners[i] != address(0) && !isOwner[owners[i]], "owner");
            isOwner[owners[i]] = true;
            emit OwnerAdded(owners[i]);
        }
        ownerCount = owners.length;
        threshold = threshold_;
        emit ThresholdSet(threshold_);
    }

    function addOwner(address owner) external onlySelf {
        require(owner != address(0) && !isOwner[owner], "owner");
        isOwner[owner] = true;
        ownerCount++;
        emit OwnerAdded(owner);
    }

    function setThreshold(uint256 threshold_) external onlySelf {
        require(threshold_ > 0 && threshold_ <= ownerCount, "threshold");
        threshold = threshold_;
        emit ThresholdSet(threshold_);
    }
}

abstract contract ModuleSet is OwnerSet {
    address internal constant SENTINEL = address(0x1);

    mapping(address => address) internal _modules;

    event ModulesReady(address indexed initializer);
    event ModuleEnabled(address indexed module);

    /// @dev part of the set up: the list begins, and modules that the owners chose may prepare themselves
    function setupModules(address to, bytes memory data) public {
        _modules[SENTINEL] = SENTINEL;
        if (to != address(0)) {
            (bool ok, ) = to.delegatecall(data); //~ ERROR delegatecall
            require(ok, "module set up failed");
        }
        emit ModulesReady(to);
    }

    function enableModule(address module) external onlySelf {
        require(module != address(0) && module != SENTINEL, "module");
        require(_modules[module] == address(0), "enabled");
        _modules[module] = _modules[SENTINEL];
        _modules[SENTINEL] = module;
        emit ModuleEnabled(module);
    }

    function isModuleEnabled(address module) public view returns (bool) {
        return module != SENTINEL && _modules[module] != address(0);
    }
}

/// @title Account of several owners with modules
contract SharedAccount is ModuleSet {
    struct Proposal {
        address to;
        uint256 value;
        bytes data;
        uint256 approvals;
        bool executed;
    }

    Proposal[] public proposals;
    mapping(uint256 => mapping(address => bool)) public approved;

    event Proposed(uint256 indexed id, address indexed to, uint256 value);
    event Approved(uint256 indexed id, address indexed owner);
    event Executed(uint256 indexed id);

    modifier onlyOwners() {
        require(isOwner[msg.sender], "owners only");
        _;
    }

    constructor(address partner) payable {
        address[] memory owners = new address[](2);
        owners[0] = msg.sender;
        owners[1] = partner == address(0) || partner == msg.sender ? address(this) : partner;
        _setupOwners(owners, partner == owners[1] ? 2 : 1);
        setupModules(address(0), "");
    }

    receive() external payable {}

    function propose(address to, uint256 value, bytes calldata data) external onlyOwners returns (uint256 id) {
        id = proposals.length;
        proposals.push(Proposal(to, value, data, 0, false));
        emit Proposed(id, to, value);
    }

    function approve(uint256 id) external onlyOwners {
        require(!approved[id][msg.sender], "approved");
        approved[id][msg.sender] = true;
        proposals[id].approvals++;
        emit Approved(id, msg.sender);
    }

    function execute(uint256 id) external {
        Proposal storage proposal = proposals[id];
        require(!proposal.executed && proposal.approvals >= threshold, "not ready");
        proposal.executed = true;
        emit Executed(id);
        (bool ok, ) = proposal.to.call{value: proposal.value}(proposal.data);
        require(ok, "call failed");
    }

    function executeFromModule(address to, uint256 value, bytes calldata data) external {
        require(isModuleEnabled(msg.sender), "modules only");
        (bool ok, ) = to.call{value: value}(data);
        require(ok, "call failed");
    }
}
