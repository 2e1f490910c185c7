// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Accounts whose holders may make several calls in one transaction.
contract BatchWallet {
    address public owner = msg.sender;
    address public pendingOwner;
    mapping(bytes32 => address) public modules;
    mapping(address => uint256) public balances;
    uint256 public total;

    event Deposited(address indexed who, uint256 amount);
    event Withdrawn(address indexed who, uint256 amount);
    event Moved(address indexed from, address indexed to, uint256 amount);
    event ModuleSet(bytes32 indexed id, address code);

    modifier onlyOwner() {
        require(msg.sender == owner, "not the owner");
        _;
    }

    function deposit() external payable {
        balances[msg.sender] += msg.value;
        total += msg.value;
        emit Deposited(msg.sender, msg.value);
    }

    function withdraw(uint256 amount) external {
        balances[msg.sender] -= amount;
        total -= amount;
        emit Withdrawn(msg.sender, amount);
        payable(msg.sender).transfer(amount);
    }

    function move(address to, uint256 amount) external {
        require(to != address(0), "nobody");
        balances[msg.sender] -= amount;
        balances[to] += amount;
        emit Moved(msg.sender, to, amount);
    }

    /// Takes no ether, so that none is counted twice.
    function multicall(bytes[] calldata calls) external returns (bytes[] memory results) {
        results = new bytes[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            (bool ok, bytes memory result) = address(this).delegatecall(calls[i]);
            if (!ok) {
                assembly {
                    revert(add(result, 32), mload(result))
                }
            }
            results[i] = result;
        }
    }

    function setModule(bytes32 id, address code) external onlyOwner {
        modules[id] = code;
        emit ModuleSet(id, code);
    }

    function runModule(bytes32 id, bytes calldata data) external onlyOwner returns (bytes memory) {
        address code = modules[id];
        require(code.code.length > 0, "no such module");
        (bool ok, bytes memory result) = code.delegatecall(data);
        require(ok, "module failed");
        return result;
    }

    function offerOwnership(address next) external onlyOwner {
        pendingOwner = next;
    }

    function acceptOwnership() external {
        require(msg.sender == pendingOwner, "not offered");
        owner = msg.sender;
        pendingOwner = address(0);
    }
}
