// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Points for deposits. An account can hold no more than the limit at a time.
contract Rewarder {
    uint256 public constant LIMIT = 1000;

    address public immutable hub = msg.sender;
    mapping(address => uint256) public pointsOf;
    mapping(address => uint256) public spent;

    event Rewarded(address indexed who, uint256 points);

    function reward(address who, uint256 points) external {
        require(msg.sender == hub, "not the hub");
        require(points <= LIMIT && pointsOf[who] <= LIMIT - points, "over the limit");
        pointsOf[who] += points;
        emit Rewarded(who, points);
    }

    function spend(uint256 points) external {
        pointsOf[msg.sender] -= points;
        spent[msg.sender] += points;
    }
}

contract RewardHub {
    Rewarder public immutable rewarder = new Rewarder();
    mapping(address => uint256) public deposits;
    mapping(address => uint256) public owedPoints;
    mapping(address => uint256) public failures;
    mapping(address => uint256) public lockedUntil;

    event Deposited(address indexed who, uint256 amount);
    event Withdrawn(address indexed who, uint256 amount);

    /// A deposit does not fail because the points do not fit: they are owed then.
    function deposit() external payable {
        require(msg.value >= 1 gwei, "too little");
        uint256 points = msg.value / 1 gwei;
        deposits[msg.sender] += msg.value;
        lockedUntil[msg.sender] = block.timestamp + 7 days;
        (bool ok, ) = address(rewarder).call(abi.encodeCall(Rewarder.reward, (msg.sender, points)));
        if (!ok) owedPoints[msg.sender] += points;
        emit Deposited(msg.sender, msg.value);
    }

    function claimPoints(uint256 points) external {
        owedPoints[msg.sender] -= points;
        rewarder.reward(msg.sender, points);
    }

    /// Gives as much as fits, and says whether it did.
    function tryClaim(uint256 points) external returns (bool) {
        require(points > 0 && points <= owedPoints[msg.sender], "not owed");
        owedPoints[msg.sender] -= points;
        try rewarder.reward(msg.sender, points) {
            return true;
        } catch {
            owedPoints[msg.sender] += points;
            failures[msg.sender]++;
            return false;
        }
    }

    function withdraw(uint256 amount) external {
        require(block.timestamp >= lockedUntil[msg.sender], "locked");
        deposits[msg.sender] -= amount;
        emit Withdrawn(msg.sender, amount);
        payable(msg.sender).transfer(amount);
    }
}
