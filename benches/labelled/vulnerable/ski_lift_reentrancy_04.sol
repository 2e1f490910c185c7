pragma solidity 0.4.26;

/// Prepaid cards for the lifts of a ski resort. A card is loaded with ether, each ride
/// takes its price off the card, and what is left may be given to a friend or cashed out.
contract SkiLiftCards {
    address public operator;
    uint256 public ridePrice;
    uint256 public takings;
    bool public lifts = true;

    mapping(address => uint256) public credit;
    mapping(address => uint256) public rides;
    mapping(address => bool) private cashingOut;

    event Loaded(address indexed skier, uint256 amount);
    event Ride(address indexed skier, uint256 number);
    event Given(address indexed from, address indexed to, uint256 amount);
    event CashedOut(address indexed skier, uint256 amount);

    modifier onlyOperator() {
        require(msg.sender == operator, "not the operator");
        _;
    }

    constructor(uint256 price) public {
        require(price > 0, "odd price");
        operator = msg.sender;
        ridePrice = price;
    }

    function load() external payable {
        require(msg.value > 0, "nothing to load");
        credit[msg.sender] += msg.value;
        emit Loaded(msg.sender, msg.value);
    }

    function ride() external {
        require(lifts, "the lifts stand still");
        require(!cashingOut[msg.sender], "card is being cashed out");
        require(credit[msg.sender] >= ridePrice, "not enough on the card");
        credit[msg.sender] -= ridePrice;
        takings += ridePrice;
        rides[msg.sender]++;
        emit Ride(msg.sender, rides[msg.sender]);
    }

    /// Moves part of a card to the card of a friend.
    function giveTo(address friend, uint256 amount) external {
        require(friend != address(0), "no friend");
        require(credit[msg.sender] >= amount, "not enough on the card");
        credit[msg.sender] -= amount;
        credit[friend] += amount;
        emit Given(msg.sender, friend, amount);
    }

    /// Pays back what is left on the card. Nobody cashes out one card twice at a time.
    function cashOut() external {
        require(!cashingOut[msg.sender], "card is being cashed out");
        uint256 left = credit[msg.sender];
        require(left > 0, "empty card");
        cashingOut[msg.sender] = true;
        require(msg.sender.call.value(left)(), "not accepted"); //~ ERROR reentrancy
        credit[msg.sender] = 0;
        cashingOut[msg.sender] = false;
        emit CashedOut(msg.sender, left);
    }

    function setLifts(bool running) external onlyOperator {
        lifts = running;
    }

    function collectTakings() external onlyOperator {
        uint256 amount = takings;
        takings = 0;
        operator.transfer(amount);
    }
}
