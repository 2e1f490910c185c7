// SPDX-License-Identifier: MIT
pragma solidity ^0.6.2;

/// Tips for creators. A hundredth of each tip goes to the platform.
contract CreatorAccounts {
    address public platform;
    uint256 public fees;
    uint256 private locked = 1;

    mapping(address => uint256) public balances;
    mapping(address => bytes32) public profile;

    event Tipped(address indexed from, address indexed creator, uint256 amount);
    event Withdrawn(address indexed creator, uint256 amount);
    event Shared(address indexed from, address indexed to, uint256 amount);

    constructor() public {
        platform = msg.sender;
    }

    modifier nonReentrant() {
        require(locked == 1, "locked");
        locked = 2;
        _;
        locked = 1;
    }

    modifier onlyPlatform() {
        require(msg.sender == platform, "not the platform");
        _;
    }

    function setProfile(bytes32 hash) external {
        profile[msg.sender] = hash;
    }

    function tip(address creator) external payable {
        require(creator != address(0), "no creator");
        require(msg.value >= 100, "too little");
        uint256 fee = msg.value / 100;
        fees = add(fees, fee);
        balances[creator] = add(balances[creator], sub(msg.value, fee));
        emit Tipped(msg.sender, creator, msg.value);
    }

    function withdraw() external nonReentrant {
        uint256 amount = balances[msg.sender];
        require(amount > 0, "nothing there");
        (bool ok, ) = msg.sender.call{value: amount}(""); //~ ERROR reentrancy
        require(ok, "not accepted");
        balances[msg.sender] = 0;
        emit Withdrawn(msg.sender, amount);
    }

    /// A creator shares what they earned with somebody who helped.
    function share(address to, uint256 amount) external {
        require(to != address(0), "no receiver");
        balances[msg.sender] = sub(balances[msg.sender], amount);
        balances[to] = add(balances[to], amount);
        emit Shared(msg.sender, to, amount);
    }

    function collect(address payable to) external onlyPlatform nonReentrant {
        uint256 amount = fees;
        fees = 0;
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "not accepted");
    }

    function handOver(address next) external onlyPlatform {
        require(next != address(0), "nobody");
        platform = next;
    }

    function add(uint256 a, uint256 b) private pure returns (uint256 c) {
        c = a + b;
        require(c >= a, "overflow");
    }

    function sub(uint256 a, uint256 b) private pure returns (uint256) {
        require(b <= a, "not enough");
        return a - b;
    }
}
