pragma solidity ^0.4.24;

contract Crowdfund {
    address public creator;
    uint256 public goal = 50 ether;
    uint256 public deadline;
    uint256 public raised;
    bool public collected;
    mapping(address => uint256) public contributions;

    event Contributed(address indexed who, uint256 amount);
    event Collected(uint256 amount);
    event Refunded(address indexed who, uint256 amount);

    constructor() public {
        creator = msg.sender;
        deadline = now + 30 days;
    }

    modifier onlyCreator() {
        require(msg.sender == creator, "not creator");
        _;
    }

    function contribute() public payable {
        require(now < deadline, "closed");
        require(msg.value >= 1 finney, "too small");
        contributions[msg.sender] += msg.value;
        raised += msg.value;
        emit Contributed(msg.sender, msg.value);
    }

    function () external payable {
        contribute();
    }

    function succeeded() public view returns (bool) {
        return now >= deadline && raised >= goal;
    }

    function failed() public view returns (bool) {
        return now >= deadline && raised < goal;
    }

    /// uses the sum of contributions, not the balance: forced ether does not matter
    function collect() public onlyCreator {
        require(succeeded(), "no success");
        require(!collected, "collected");
        collected = true;
        creator.transfer(raised);
        emit Collected(raised);
    }

    function refund() public {
        require(failed(), "no refund");
        uint256 amount = contributions[msg.sender];
        require(amount > 0, "nothing");
        contributions[msg.sender] = 0;
        msg.sender.transfer(amount);
        emit Refunded(msg.sender, amount);
    }
}
