pragma solidity ^0.4.24;

/// A savings club: what is saved in the year is paid out before Christmas.
contract ChristmasClub {
    uint256 public constant EXIT_DIVISOR = 20;

    address public treasurer;
    uint256 public opensAt;
    uint256 public penalties;
    uint256 public members;

    mapping(address => uint256) public saved;
    mapping(address => bool) public isMember;

    event Saved(address indexed member, uint256 amount);
    event PaidOut(address indexed member, uint256 amount);
    event LeftEarly(address indexed member, uint256 amount, uint256 penalty);

    constructor() public {
        treasurer = msg.sender;
        opensAt = now + 300 days;
    }

    function save() public payable {
        require(now < opensAt, "the year is over");
        require(msg.value >= 1 finney, "too little");
        if (!isMember[msg.sender]) {
            isMember[msg.sender] = true;
            members += 1;
        }
        saved[msg.sender] += msg.value;
        emit Saved(msg.sender, msg.value);
    }

    function payOut() public {
        require(now >= opensAt, "not before Christmas");
        uint256 amount = saved[msg.sender];
        require(amount > 0, "nothing saved");
        saved[msg.sender] = 0;
        require(msg.sender.send(amount), "payment refused");
        emit PaidOut(msg.sender, amount);
    }

    function leaveEarly() public {
        require(now < opensAt, "wait for the pay out");
        uint256 amount = saved[msg.sender];
        require(amount > 0, "nothing saved");
        uint256 penalty = amount / EXIT_DIVISOR;
        saved[msg.sender] = 0;
        penalties += penalty;
        msg.sender.transfer(amount - penalty);
        emit LeftEarly(msg.sender, amount, penalty);
    }

    function takePenalties() public {
        require(msg.sender == treasurer, "not the treasurer");
        uint256 amount = penalties;
        penalties = 0;
        treasurer.transfer(amount);
    }
}
