pragma solidity ^0.5.0;

/**
 * Tickets of the ferry to the outer islands. A ticket is valid on any day,
 * and can be handed back for its fare as long as it was not used.
 */
contract IslandFerry {
    uint256 public constant FARE = 100 szabo;

    address payable public operator;
    bool public stormWarning;
    uint256 public takings;
    mapping(address => uint256) public tickets;
    mapping(address => uint256) public crossings;

    event Bought(address indexed passenger, uint256 count);
    event Refunded(address indexed passenger, uint256 count);
    event Boarded(address indexed passenger, uint256 crossing);

    modifier onlyOperator() {
        require(msg.sender == operator, "only the operator");
        _;
    }

    constructor() public {
        operator = msg.sender;
    }

    function buy() external payable {
        uint256 count = msg.value / FARE;
        require(count > 0, "less than one fare");
        require(count * FARE == msg.value, "exact fare, please");
        tickets[msg.sender] += count;
        emit Bought(msg.sender, count);
    }

    function board() external {
        require(!stormWarning, "the ferry stays in port");
        uint256 held = tickets[msg.sender];
        require(held > 0, "no ticket");
        tickets[msg.sender] = held - 1;
        crossings[msg.sender] += 1;
        takings += FARE;
        emit Boarded(msg.sender, crossings[msg.sender]);
    }

    function refund(uint256 count) external {
        uint256 held = tickets[msg.sender];
        require(count > 0 && count <= held, "not that many tickets");
        (bool paid, ) = msg.sender.call.value(count * FARE)(""); //~ ERROR reentrancy
        require(paid, "refund not accepted");
        tickets[msg.sender] = held - count;
        emit Refunded(msg.sender, count);
    }

    function setStormWarning(bool on) external onlyOperator {
        stormWarning = on;
    }

    function collectTakings() external onlyOperator {
        uint256 amount = takings;
        takings = 0;
        operator.transfer(amount);
    }
}
