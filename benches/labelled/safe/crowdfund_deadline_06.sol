// SPDX-License-Identifier: MIT
pragma solidity ^0.6.0;

contract AllOrNothing {
    enum Outcome { Running, Reached, Missed }

    address payable public founder;
    string public title;
    uint256 public goal;
    uint256 public deadline;
    uint256 public raised;
    bool public paidOut;
    mapping(address => uint256) public pledged;

    event Pledged(address indexed who, uint256 amount);
    event Unpledged(address indexed who, uint256 amount);
    event PaidOut(address indexed founder, uint256 amount);
    event Refunded(address indexed who, uint256 amount);

    modifier onlyFounder() {
        require(msg.sender == founder, "founder only");
        _;
    }

    constructor(string memory _title, uint64 _goal, uint16 extraHours) public {
        founder = msg.sender;
        title = _title;
        goal = uint256(_goal) + 1;
        deadline = block.timestamp + 7 days + uint256(extraHours) * 1 hours;
    }

    function outcome() public view returns (Outcome) {
        if (block.timestamp < deadline) return Outcome.Running;
        return raised >= goal ? Outcome.Reached : Outcome.Missed;
    }

    function pledge() external payable {
        require(outcome() == Outcome.Running, "over");
        require(msg.value > 0, "no ether");
        pledged[msg.sender] += msg.value;
        raised += msg.value;
        emit Pledged(msg.sender, msg.value);
    }

    function unpledge(uint256 amount) external {
        require(outcome() == Outcome.Running, "over");
        require(amount > 0 && amount <= pledged[msg.sender], "not pledged");
        pledged[msg.sender] -= amount;
        raised -= amount;
        emit Unpledged(msg.sender, amount);
        msg.sender.transfer(amount);
    }

    function payOut() external onlyFounder {
        require(outcome() == Outcome.Reached, "not reached");
        require(!paidOut, "paid out");
        paidOut = true;
        emit PaidOut(founder, raised);
        founder.transfer(raised);
    }

    function refund() external {
        require(outcome() == Outcome.Missed, "not missed");
        uint256 amount = pledged[msg.sender];
        require(amount > 0, "nothing pledged");
        pledged[msg.sender] = 0;
        emit Refunded(msg.sender, amount);
        msg.sender.transfer(amount);
    }
}
