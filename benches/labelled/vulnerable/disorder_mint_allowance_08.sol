// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @notice Wrapped units of a bridge. No more than a limit per day is minted.
contract BridgedUnits {
    address public immutable bridge;
    uint256 public immutable dailyLimit;
    mapping(uint256 => uint256) public mintedOn;
    mapping(address => uint256) public balanceOf;
    uint256 public totalSupply;

    event Minted(address indexed to, uint256 amount);
    event Burned(address indexed from, uint256 amount);

    constructor(uint256 dailyLimit_) {
        bridge = msg.sender;
        dailyLimit = dailyLimit_;
    }

    modifier onlyBridge() {
        require(msg.sender == bridge, "bridge only");
        _;
    }

    function mint(address to, uint256 amount) external onlyBridge {
        uint256 day = block.timestamp / 1 days;
        require(mintedOn[day] + amount <= dailyLimit, "limit of the day");
        mintedOn[day] += amount;
        totalSupply += amount;
        balanceOf[to] += amount;
        emit Minted(to, amount);
    }

    function burn(address from, uint256 amount) external onlyBridge {
        balanceOf[from] -= amount;
        totalSupply -= amount;
        emit Burned(from, amount);
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        return true;
    }
}

/// @title Home side of the bridge: ether in, units out, and back
contract HomeBridge {
    enum Status { None, Sent, Redeemed }

    struct Passage {
        address account;
        uint128 amount;
        Status status;
    }

    BridgedUnits public immutable units;
    address public immutable guardian;
    bool public halted;
    Passage[] public passages;
    uint256 public locked;

    event Sent(uint256 indexed passage, address indexed account, uint256 amount);
    event Redeemed(address indexed account, uint256 amount);
    event Halted(bool halted);

    modifier running() {
        require(!halted, "halted");
        _;
    }

    constructor() {
        guardian = msg.sender;
        units = new BridgedUnits(5 ether);
    }

    function send() external payable running returns (uint256 passage) {
        require(msg.value >= 0.001 ether && msg.value <= type(uint128).max, "amount");
        passage = passages.length;
        passages.push(Passage(msg.sender, uint128(msg.value), Status.Sent));
        locked += msg.value;
        emit Sent(passage, msg.sender, msg.value);
        _deliver(abi.encodeWithSelector(BridgedUnits.mint.selector, msg.sender, msg.value));
    }

    function redeem(uint256 amount) external running {
        units.burn(msg.sender, amount);
        locked -= amount;
        passages.push(Passage(msg.sender, uint128(amount), Status.Redeemed));
        emit Redeemed(msg.sender, amount);
        payable(msg.sender).transfer(amount);
    }

    function setHalted(bool value) external {
        require(msg.sender == guardian, "guardian only");
        halted = value;
        emit Halted(value);
    }

    /// @dev the message has its own gas, so that a passage is never stuck
    function _deliver(bytes memory message) private {
        (bool delivered, ) = address(units).call{gas: 200000}(message); //~ ERROR exception-disorder
        delivered;
    }
}
