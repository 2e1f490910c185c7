// SPDX-License-Identifier: MIT
pragma solidity ^0.6.0;
// Exploit: a backer that rejects ether is refunded by refund(backer); the call fails, its pledge is erased all the same.
contract Campaign {
    enum State { Open, Failed, Paid }

    address payable public founder;
    State public state;
    uint256 public raised;
    mapping(address => uint256) public pledges;

    event Pledged(address indexed who, uint256 amount);
    event Refunded(address indexed who, uint256 amount);

    constructor() public {
        founder = msg.sender;
    }

    function pledge() external payable {
        require(state == State.Open, "closed");
        require(msg.value > 0, "empty");
        pledges[msg.sender] += msg.value;
        raised += msg.value;
        emit Pledged(msg.sender, msg.value);
    }

    function fail() external {
        require(msg.sender == founder && state == State.Open, "not allowed");
        state = State.Failed;
    }

    function finish() external {
        require(msg.sender == founder && state == State.Open, "not allowed");
        state = State.Paid;
        founder.transfer(address(this).balance);
    }

    function refund(address payable backer) external {
        require(state == State.Failed, "not failed");
        uint256 amount = pledges[backer];
        require(amount > 0, "no pledge");
        pledges[backer] = 0;
        raised -= amount;
        backer.call{value: amount}(""); //~ ERROR unchecked-call
        emit Refunded(backer, amount);
    }
}
