// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// A list of modules that accounts may run. Publishers list the code that they deployed.
abstract contract ModuleDirectory {
    struct Listing {
        address publisher;
        bytes32 codeHash;
        uint64 listedAt;
    }

    mapping(address => Listing) public listings;

    event Listed(address indexed module, address indexed publisher);
    event Delisted(address indexed module);

    function list(address module) external {
        require(module.code.length > 0, "no code");
        require(listings[module].publisher == address(0), "already listed");
        listings[module] = Listing(msg.sender, module.codehash, uint64(block.timestamp));
        emit Listed(module, msg.sender);
    }

    function delist(address module) external {
        require(listings[module].publisher == msg.sender, "not the publisher");
        delete listings[module];
        emit Delisted(module);
    }

    function isListed(address module) public view returns (bool) {
        Listing memory listing = listings[module];
        return listing.publisher != address(0) && listing.codeHash == module.codehash;
    }
}

/// A wallet of which automation services run the modules: payments, refills, renewals.
contract ModularAccount is ModuleDirectory {
    address public owner = msg.sender;
    bool public frozen;
    uint256 public runs;
    mapping(address => uint256) public runsOf;

    event Ran(address indexed module, address indexed caller);
    event Executed(address indexed to, uint256 value);
    event Frozen(bool value);

    modifier onlyOwner() {
        require(msg.sender == owner, "not the owner");
        _;
    }

    receive() external payable {}

    function setFrozen(bool value) external onlyOwner {
        frozen = value;
        emit Frozen(value);
    }

    function execute(address to, uint256 value, bytes calldata data) external onlyOwner returns (bytes memory) {
        (bool success, bytes memory result) = to.call{value: value}(data);
        require(success, "call failed");
        emit Executed(to, value);
        return result;
    }

    function runModule(address module, bytes calldata data) external returns (bytes memory) {
        require(!frozen, "frozen");
        require(isListed(module), "not listed");
        runs += 1;
        runsOf[module] += 1;
        emit Ran(module, msg.sender);
        (bool success, bytes memory result) = module.delegatecall(data); //~ ERROR delegatecall
        require(success, "module failed");
        return result;
    }
}
