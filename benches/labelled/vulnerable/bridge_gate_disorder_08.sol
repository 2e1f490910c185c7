// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// The mirrored ether. The other network counts in gwei, and so no smaller amounts are minted.
contract MirrorEther {
    string public constant name = "Mirrored Ether";
    string public constant symbol = "METH";
    uint8 public constant decimals = 18;
    uint256 public constant PRECISION = 1 gwei;

    address public immutable gate;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 value);

    modifier onlyGate() {
        require(msg.sender == gate, "only the gate");
        _;
    }

    constructor(address gate_) {
        gate = gate_;
    }

    function mint(address to, uint256 value) external onlyGate {
        require(value % PRECISION == 0, "finer than the other network");
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function burn(address from, uint256 value) external onlyGate {
        balanceOf[from] -= value;
        totalSupply -= value;
        emit Transfer(from, address(0), value);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
        return true;
    }
}

/// Locks ether and has as much of it mirrored; burns the mirrored ether and unlocks it again.
contract BridgeGate {
    MirrorEther public immutable mirror;
    address public immutable guardian = msg.sender;
    uint256 public locked;
    uint256 public transfersOut;
    uint256 public transfersIn;
    bool public paused;

    event Out(uint256 indexed id, address indexed from, address indexed to, uint256 amount);
    event In(uint256 indexed id, address indexed to, uint256 amount);
    event Paused(bool value);

    constructor() {
        mirror = new MirrorEther(address(this));
    }

    function setPaused(bool value) external {
        require(msg.sender == guardian, "not the guardian");
        paused = value;
        emit Paused(value);
    }

    function bridgeOut(address to) external payable returns (uint256 id) {
        require(!paused, "paused");
        require(msg.value > 0, "nothing sent");
        require(to != address(0), "no receiver");
        id = transfersOut++;
        locked += msg.value;
        address(mirror).call(abi.encodeCall(mirror.mint, (to, msg.value))); //~ ERROR exception-disorder
        emit Out(id, msg.sender, to, msg.value);
    }

    function bridgeIn(uint256 amount) external returns (uint256 id) {
        require(!paused, "paused");
        require(amount > 0, "nothing to bridge");
        id = transfersIn++;
        mirror.burn(msg.sender, amount);
        locked -= amount;
        emit In(id, msg.sender, amount);
        (bool success,) = msg.sender.call{value: amount}("");
        require(success, "payment refused");
    }
}
