pragma solidity 0.4.26;

/// Commuters share a car. A driver offers a trip with a few seats, passengers pay for
/// a seat in advance, and the driver gets the fares when the passengers have arrived.
contract Carpool {
    enum State { None, Open, Driving, Done, Cancelled }

    struct Trip {
        address driver;
        uint256 fare;
        uint8 seats;
        uint8 taken;
        uint8 arrived;
        State state;
    }

    uint256 public constant MAX_FARE = 1 ether;

    uint256 public trips;
    mapping(uint256 => Trip) public tripOf;
    mapping(uint256 => mapping(address => bool)) public aboard;

    event Offered(uint256 indexed id, address indexed driver, uint256 fare);
    event Boarded(uint256 indexed id, address indexed passenger);
    event Arrived(uint256 indexed id);
    event Refunded(uint256 indexed id, address indexed passenger);

    function offer(uint256 fare, uint8 seats) external returns (uint256 id) {
        require(fare > 0 && fare <= MAX_FARE, "odd fare");
        require(seats > 0 && seats <= 7, "odd car");
        id = ++trips;
        tripOf[id] = Trip(msg.sender, fare, seats, 0, 0, State.Open);
        emit Offered(id, msg.sender, fare);
    }

    function board(uint256 id) external payable {
        Trip storage trip = tripOf[id];
        require(trip.state == State.Open, "not boarding");
        require(trip.taken < trip.seats, "car is full");
        require(msg.value == trip.fare, "wrong fare");
        require(!aboard[id][msg.sender], "one seat each");
        aboard[id][msg.sender] = true;
        trip.taken++;
        emit Boarded(id, msg.sender);
    }

    function depart(uint256 id) external {
        Trip storage trip = tripOf[id];
        require(msg.sender == trip.driver, "not the driver");
        require(trip.state == State.Open && trip.taken > 0, "cannot depart");
        trip.state = State.Driving;
    }

    /// Each passenger confirms the arrival; the last of them pays the driver.
    function arrive(uint256 id) external {
        Trip storage trip = tripOf[id];
        require(trip.state == State.Driving, "not driving");
        require(aboard[id][msg.sender], "not aboard");
        aboard[id][msg.sender] = false;
        trip.arrived++;
        if (trip.arrived == trip.taken) {
            trip.state = State.Done;
            trip.driver.send(trip.fare * trip.taken); //~ ERROR unchecked-call
            emit Arrived(id);
        }
    }

    function cancel(uint256 id) external {
        Trip storage trip = tripOf[id];
        require(msg.sender == trip.driver, "not the driver");
        require(trip.state == State.Open, "too late");
        trip.state = State.Cancelled;
    }

    function takeBack(uint256 id) external {
        Trip storage trip = tripOf[id];
        require(trip.state == State.Cancelled, "not cancelled");
        require(aboard[id][msg.sender], "not aboard");
        aboard[id][msg.sender] = false;
        emit Refunded(id, msg.sender);
        msg.sender.transfer(trip.fare);
    }
}
