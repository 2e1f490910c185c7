pragma solidity ^0.4.24;

/// Collects pledges for a film. If the goal is missed, everybody is refunded.
contract FilmCrowdfund {
    uint256 public constant GOAL = 5 ether;
    uint256 public constant MIN_PLEDGE = 10 finney;

    address public producer;
    string public title;
    uint256 public deadline;
    uint256 public raised;
    uint256 public backers;
    bool public collected;

    mapping(address => uint256) public pledgeOf;
    mapping(address => bytes32) public creditName;

    event Pledged(address indexed backer, uint256 amount);
    event Refunded(address indexed backer, uint256 amount);
    event Collected(uint256 amount);

    modifier onlyProducer() {
        require(msg.sender == producer, "not the producer");
        _;
    }

    constructor() public {
        producer = msg.sender;
        title = "Untitled";
        deadline = now + 45 days;
    }

    function rename(string newTitle) public onlyProducer {
        require(backers == 0, "already backed");
        title = newTitle;
    }

    function pledge(bytes32 name) public payable {
        require(now <= deadline, "too late");
        require(msg.value >= MIN_PLEDGE, "pledge more");
        if (pledgeOf[msg.sender] == 0) {
            backers += 1;
        }
        pledgeOf[msg.sender] += msg.value;
        creditName[msg.sender] = name;
        raised += msg.value;
        emit Pledged(msg.sender, msg.value);
    }

    function reached() public view returns (bool) {
        return raised >= GOAL;
    }

    function refund() public {
        require(now > deadline, "still running");
        require(!reached(), "the film is made");
        uint256 amount = pledgeOf[msg.sender];
        require(amount > 0, "no pledge");
        pledgeOf[msg.sender] = 0;
        msg.sender.transfer(amount);
        emit Refunded(msg.sender, amount);
    }

    function collect() public onlyProducer {
        require(now > deadline, "still running");
        require(reached(), "goal missed");
        require(!collected, "already collected");
        collected = true;
        producer.transfer(raised);
        emit Collected(raised);
    }
}
