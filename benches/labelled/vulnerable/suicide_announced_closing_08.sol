// SPDX-License-Identifier: MIT
pragma solidity ^0.8.13;

/// @notice Money of an aviary. People adopt birds, and the keeper buys food of it.
/// @dev The keeper announces that it closes; a week later anybody may finish it.
contract AviaryFund {
    struct Bird {
        string name;
        address godparent;
        uint256 given;
    }

    uint256 public constant NOTICE = 7 days;

    address public keeper;
    uint256 public closesAt;
    Bird[] public birds;
    mapping(address => uint256) public givenBy;

    event Arrived(uint256 indexed bird, string name);
    event Adopted(uint256 indexed bird, address indexed godparent, uint256 amount);
    event Fed(uint256 amount, string what);
    event ClosingAnnounced(uint256 closesAt);
    event Finished(address indexed by);

    error KeeperOnly();

    modifier onlyKeeper() {
        if (msg.sender != keeper) revert KeeperOnly();
        _;
    }

    constructor() {
        keeper = msg.sender;
        birds.push(Bird("Rook", address(0), 0));
        birds.push(Bird("Jay", address(0), 0));
    }

    function arrive(string calldata name) external onlyKeeper {
        birds.push(Bird(name, address(0), 0));
        emit Arrived(birds.length - 1, name);
    }

    function adopt(uint256 bird) external payable {
        require(bird < birds.length, "no such bird");
        require(msg.value >= 0.001 ether, "too little");
        Bird storage b = birds[bird];
        require(msg.value > b.given, "others gave more");
        b.godparent = msg.sender;
        b.given = msg.value;
        givenBy[msg.sender] += msg.value;
        emit Adopted(bird, msg.sender, msg.value);
    }

    function feed(address payable dealer, uint256 amount, string calldata what) external onlyKeeper {
        require(amount <= address(this).balance / 2, "not all at once");
        emit Fed(amount, what);
        dealer.transfer(amount);
    }

    function announceClosing() external onlyKeeper {
        closesAt = block.timestamp + NOTICE;
        emit ClosingAnnounced(closesAt);
    }

    function stayOpen() external onlyKeeper {
        closesAt = 0;
    }

    /// @param shelter who takes the birds, and what is left
    function finish(address payable shelter) external {
        require(block.timestamp >= closesAt, "there is still time");
        require(shelter != address(0), "which shelter");
        emit Finished(msg.sender);
        selfdestruct(shelter); //~ ERROR self-destruct
    }

    function birdCount() external view returns (uint256) {
        return birds.length;
    }
}
