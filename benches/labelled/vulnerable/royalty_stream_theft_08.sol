// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Listeners pay for songs, artists or their managers collect the royalties.
contract RoyaltyStream {
    uint256 public constant FEE_PERCENT = 10;

    address payable public immutable platform;
    uint256 public fees;

    mapping(address => uint256) public earned;
    mapping(address => address) public managerOf;
    mapping(address => mapping(address => uint256)) public playsOf;

    event Played(address indexed listener, address indexed artist, uint256 paid);
    event ManagerSet(address indexed artist, address indexed manager);
    event Collected(address indexed artist, address indexed to, uint256 amount);

    constructor() {
        platform = payable(msg.sender);
    }

    function play(address artist) external payable {
        require(artist != address(0), "no artist");
        require(msg.value >= 1000 gwei, "too little");
        uint256 fee = (msg.value * FEE_PERCENT) / 100;
        fees += fee;
        earned[artist] += msg.value - fee;
        playsOf[artist][msg.sender] += 1;
        emit Played(msg.sender, artist, msg.value);
    }

    function setManager(address manager) external {
        managerOf[msg.sender] = manager;
        emit ManagerSet(msg.sender, manager);
    }

    function collect(address artist, address payable to) external {
        require(to != address(0), "no receiver");
        address manager = managerOf[artist];
        if (manager != address(0)) {
            require(msg.sender == artist || msg.sender == manager, "not the artist or the manager");
        }
        uint256 amount = earned[artist];
        require(amount > 0, "nothing earned");
        earned[artist] = 0;
        (bool ok, ) = to.call{value: amount}(""); //~ ERROR ether-theft
        require(ok, "payment refused");
        emit Collected(artist, to, amount);
    }

    function collectFees() external {
        require(msg.sender == platform, "not the platform");
        uint256 amount = fees;
        fees = 0;
        platform.transfer(amount);
    }
}
