// By design: everybody is given one wei a day.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract OneWeiFaucet {
    uint256 public constant GIFT = 1 wei;
    uint256 public constant PAUSE = 1 days;

    address public immutable keeper;
    bool public closed;
    uint256 public given;
    mapping(address => uint256) public lastGift;

    event Funded(address indexed by, uint256 amount);
    event Gift(address indexed to);
    event Closed(uint256 returned);

    error Wait(uint256 until);
    error Dry();
    error IsClosed();

    constructor() payable {
        keeper = msg.sender;
    }

    receive() external payable {
        if (closed) revert IsClosed();
        emit Funded(msg.sender, msg.value);
    }

    function drip() external {
        if (closed) revert IsClosed();
        if (address(this).balance < GIFT) revert Dry();
        uint256 last = lastGift[msg.sender];
        if (last != 0 && block.timestamp < last + PAUSE) revert Wait(last + PAUSE);
        lastGift[msg.sender] = block.timestamp;
        given += GIFT;
        payable(msg.sender).transfer(GIFT);
        emit Gift(msg.sender);
    }

    function close() external {
        require(msg.sender == keeper, "keeper only");
        closed = true;
        uint256 rest = address(this).balance;
        payable(keeper).transfer(rest);
        emit Closed(rest);
    }
}
