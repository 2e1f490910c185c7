// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract WageCoin {
    string public constant name = "Wage Coin";
    uint8 public constant decimals = 18;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    function mint() external payable {
        totalSupply += msg.value;
        balanceOf[msg.sender] += msg.value;
        emit Transfer(address(0), msg.sender, msg.value);
    }

    function burn(uint256 value) external {
        balanceOf[msg.sender] -= value;
        totalSupply -= value;
        emit Transfer(msg.sender, address(0), value);
        (bool ok,) = msg.sender.call{value: value}("");
        require(ok, "not accepted");
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] -= value;
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
        return true;
    }
}

/// @title Wages that flow by the second
contract PayrollStreams {
    struct Stream {
        address employer;
        address worker;
        uint128 total;
        uint128 taken;
        uint64 start;
        uint64 stop;
    }

    WageCoin public immutable coin;
    mapping(uint256 => Stream) public streams;
    uint256 public streamCount;

    event Opened(uint256 indexed id, address indexed employer, address indexed worker, uint256 total);
    event Divided(uint256 indexed id, uint256 indexed newId, uint256 part);
    event Taken(uint256 indexed id, uint256 amount);

    constructor() {
        coin = new WageCoin();
    }

    function open(address worker, uint128 total, uint32 duration) external returns (uint256 id) {
        require(worker != address(0) && total > 0 && duration > 0, "terms");
        id = ++streamCount;
        streams[id] = Stream(
            msg.sender, worker, total, 0, uint64(block.timestamp), uint64(block.timestamp + duration)
        );
        require(coin.transferFrom(msg.sender, address(this), total), "transfer");
        emit Opened(id, msg.sender, worker, total);
    }

    /// @notice Takes a part out of a stream that nothing was taken from yet, and
    ///         makes it a stream of its own, which can be assigned to a bank.
    function divide(uint256 id, uint128 part) external returns (uint256 newId) {
        Stream storage s = streams[id];
        require(s.worker != address(0), "no such stream");
        require(s.taken == 0, "already running out");
        require(part > 0 && part < s.total, "part");
        s.total -= part;
        newId = ++streamCount;
        streams[newId] = Stream(s.employer, msg.sender, part, 0, s.start, s.stop);
        emit Divided(id, newId, part);
    }

    function assign(uint256 id, address to) external {
        require(msg.sender == streams[id].worker, "not your stream");
        require(to != address(0), "recipient");
        streams[id].worker = to;
    }

    function take(uint256 id) external returns (uint256 amount) {
        Stream storage s = streams[id];
        require(msg.sender == s.worker, "not your stream");
        amount = earned(id) - s.taken;
        require(amount > 0, "nothing yet");
        s.taken += uint128(amount);
        require(coin.transfer(msg.sender, amount), "transfer"); //~ ERROR ether-theft
        emit Taken(id, amount);
    }

    function earned(uint256 id) public view returns (uint256) {
        Stream storage s = streams[id];
        if (block.timestamp >= s.stop) return s.total;
        return uint256(s.total) * (block.timestamp - s.start) / (s.stop - s.start);
    }
}
