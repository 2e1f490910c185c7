// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Wages that grow from second to second.
contract WageStream {
    struct Stream {
        address employer;
        address worker;
        uint256 deposit;
        uint256 withdrawn;
        uint256 start;
        uint256 duration;
    }

    uint256 public constant DAILY_CALLS = 3;

    uint256 public nextId;
    mapping(uint256 => Stream) public streams;
    mapping(address => mapping(uint256 => uint256)) public callsOn;
    mapping(address => uint256) public unclaimed;

    event Opened(uint256 indexed id, address indexed employer, address indexed worker);
    event Withdrawn(uint256 indexed id, uint256 amount);
    event Settled(uint256 indexed id, uint256 toWorker, uint256 toEmployer);

    function open(address worker, uint256 duration) external payable returns (uint256 id) {
        require(worker != address(0) && msg.value > 0, "wrong stream");
        require(duration >= 1 days && duration <= 365 days, "wrong duration");
        id = nextId++;
        streams[id] = Stream(msg.sender, worker, msg.value, 0, block.timestamp, duration);
        emit Opened(id, msg.sender, worker);
    }

    function earned(uint256 id) public view returns (uint256) {
        Stream storage s = streams[id];
        require(s.deposit > 0, "no such stream");
        uint256 elapsed = block.timestamp - s.start;
        return elapsed >= s.duration ? s.deposit : (s.deposit * elapsed) / s.duration;
    }

    function withdraw(uint256 id) external {
        Stream storage s = streams[id];
        require(msg.sender == s.worker, "not the worker");
        uint256 day = block.timestamp / 1 days;
        require(callsOn[msg.sender][day] < DAILY_CALLS, "enough for today");
        callsOn[msg.sender][day]++;
        uint256 amount = earned(id) - s.withdrawn;
        require(amount > 0, "nothing yet");
        s.withdrawn += amount;
        emit Withdrawn(id, amount);
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "not accepted");
    }

    /// Ends the stream: each side gets its part, as of now.
    function settle(uint256 id) external {
        Stream memory s = streams[id];
        require(msg.sender == s.employer || msg.sender == s.worker, "not a party");
        uint256 all = earned(id);
        delete streams[id];
        emit Settled(id, all - s.withdrawn, s.deposit - all);
        _pay(s.worker, all - s.withdrawn);
        _pay(s.employer, s.deposit - all);
    }

    function claim() external {
        uint256 amount = unclaimed[msg.sender];
        unclaimed[msg.sender] = 0;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "not accepted");
    }

    function _pay(address to, uint256 amount) private {
        if (amount == 0) return;
        if (!payable(to).send(amount)) unclaimed[to] += amount;
    }
}
