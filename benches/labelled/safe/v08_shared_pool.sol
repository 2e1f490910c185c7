// By design: anybody may join with one ether and later takes it back with an equal part of the sponsors' gifts.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract SharedPool {
    uint256 public constant TICKET = 1 ether;

    uint256 public immutable closesAt;
    uint256 public members;
    uint256 public gifts;
    mapping(address => bool) public isMember;
    mapping(address => bool) public hasTaken;
    mapping(address => uint256) public giftOf;

    event Joined(address indexed who);
    event Sponsored(address indexed who, uint256 amount);
    event Taken(address indexed who, uint256 amount);
    event Returned(address indexed who, uint256 amount);

    modifier open() {
        require(block.timestamp < closesAt, "closed");
        _;
    }

    modifier afterClose() {
        require(block.timestamp >= closesAt, "still open");
        _;
    }

    constructor() {
        closesAt = block.timestamp + 30 days;
    }

    function join() external payable open {
        require(msg.value == TICKET, "one ether");
        require(!isMember[msg.sender], "member");
        isMember[msg.sender] = true;
        members += 1;
        emit Joined(msg.sender);
    }

    function sponsor() external payable open {
        gifts += msg.value;
        giftOf[msg.sender] += msg.value;
        emit Sponsored(msg.sender, msg.value);
    }

    function share() public view returns (uint256) {
        return members == 0 ? 0 : gifts / members;
    }

    function take() external afterClose {
        require(isMember[msg.sender] && !hasTaken[msg.sender], "nothing to take");
        hasTaken[msg.sender] = true;
        uint256 amount = TICKET + share();
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok, "payment failed");
        emit Taken(msg.sender, amount);
    }

    /// nobody joined: the sponsors have their money back
    function takeGiftBack() external afterClose {
        require(members == 0, "there are members");
        uint256 amount = giftOf[msg.sender];
        require(amount > 0, "no gift");
        giftOf[msg.sender] = 0;
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok, "payment failed");
        emit Returned(msg.sender, amount);
    }
}
