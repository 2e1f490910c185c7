// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

abstract contract TwoStepOwner {
    address public owner = msg.sender;
    address public nextOwner;

    event OwnerChanged(address indexed from, address indexed to);

    modifier onlyOwner() {
        require(msg.sender == owner, "not the owner");
        _;
    }

    function offerOwnership(address to) external onlyOwner {
        nextOwner = to;
    }

    function acceptOwnership() external {
        require(msg.sender == nextOwner, "not offered");
        emit OwnerChanged(owner, msg.sender);
        owner = msg.sender;
        nextOwner = address(0);
    }
}

/// A wallet that runs modules. The owner installs them; keepers whom the owner names run them.
contract ModuleAccount is TwoStepOwner {
    uint256 public constant DELAY = 2 days;

    mapping(address => uint256) public usableFrom;
    mapping(address => bool) public isKeeper;
    bool public retired;

    event Installed(address indexed module, uint256 usableFrom);
    event Removed(address indexed module);
    event Ran(address indexed module);
    event Executed(address indexed to, uint256 value);

    modifier whenActive() {
        require(!retired, "retired");
        _;
    }

    receive() external payable {}

    function setKeeper(address keeper, bool value) external onlyOwner {
        isKeeper[keeper] = value;
    }

    function install(address module) external onlyOwner whenActive {
        require(module.code.length > 0, "no code");
        usableFrom[module] = block.timestamp + DELAY;
        emit Installed(module, usableFrom[module]);
    }

    function remove(address module) external onlyOwner {
        delete usableFrom[module];
        emit Removed(module);
    }

    function run(address module, bytes calldata data) external whenActive returns (bytes memory) {
        require(msg.sender == owner || isKeeper[msg.sender], "not a keeper");
        require(usableFrom[module] != 0 && usableFrom[module] <= block.timestamp, "not usable");
        emit Ran(module);
        (bool success, bytes memory result) = module.delegatecall(data);
        if (!success) {
            assembly {
                revert(add(result, 0x20), mload(result))
            }
        }
        return result;
    }

    function execute(address to, uint256 value, bytes calldata data)
        external
        onlyOwner
        whenActive
        returns (bytes memory)
    {
        (bool success, bytes memory result) = to.call{value: value}(data);
        require(success, "call failed");
        emit Executed(to, value);
        return result;
    }

    /// Tells whether a call would succeed; whatever it did is undone.
    function simulate(address module, bytes calldata data) external {
        (bool success, bytes memory result) = module.delegatecall(data);
        bytes memory answer = abi.encode(success, result);
        assembly {
            revert(add(answer, 0x20), mload(answer))
        }
    }

    function retire(address payable to) external onlyOwner {
        require(to != address(0), "no receiver");
        retired = true;
        selfdestruct(to);
    }
}
