// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Entries of a rowing league
/// @notice A crew pays a fee for the season. If it cancels before the season
/// starts, the fee is due to its captain again.
contract RowingLeague { //~ ERROR frozen-ether
    enum Status {
        None,
        Entered,
        Cancelled
    }

    struct Crew {
        Status status;
        uint8 rowers;
        uint256 fee;
    }

    uint256 public constant FEE_PER_ROWER = 2 gwei;

    address public immutable secretary;
    bool public started;
    mapping(address captain => Crew) public crews;
    mapping(address captain => uint256) public refundDue;
    mapping(address captain => uint256) public refunded;

    event Entered(address indexed captain, uint8 rowers);
    event Cancelled(address indexed captain, uint256 refund);
    event Refunded(address indexed captain, uint256 amount);

    constructor() {
        secretary = msg.sender;
    }

    function enter(uint8 rowers) external payable {
        require(!started, "the season has started");
        require(rowers == 1 || rowers == 2 || rowers == 4 || rowers == 8, "no such boat");
        require(msg.value == rowers * FEE_PER_ROWER, "wrong fee");
        require(crews[msg.sender].status != Status.Entered, "entered");
        crews[msg.sender] = Crew(Status.Entered, rowers, msg.value);
        emit Entered(msg.sender, rowers);
    }

    function cancel() external {
        require(!started, "the season has started");
        Crew storage crew = crews[msg.sender];
        require(crew.status == Status.Entered, "not entered");
        crew.status = Status.Cancelled;
        refundDue[msg.sender] += crew.fee;
        emit Cancelled(msg.sender, crew.fee);
    }

    function collectRefund() external {
        uint256 amount = refundDue[msg.sender];
        require(amount > 0, "nothing due");
        refundDue[msg.sender] = 0;
        refunded[msg.sender] += amount;
        emit Refunded(msg.sender, amount);
    }

    function start() external {
        require(msg.sender == secretary, "only the secretary");
        started = true;
    }
}
