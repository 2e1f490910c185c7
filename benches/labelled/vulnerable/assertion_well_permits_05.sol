pragma solidity ^0.5.0;

/// Permits to draw water from the wells of a valley, with a count of each state for the yearly report.
contract WellPermits {
    enum State { None, Active, Suspended, Closed }

    struct Permit {
        address holder;
        State state;
        uint256 litres;
    }

    address public board;
    uint256 public issued;
    uint256 public active;
    uint256 public suspended;
    uint256 public closed;

    mapping(uint256 => Permit) public permits;

    event Issued(uint256 indexed id, address indexed holder, uint256 litres);
    event Changed(uint256 indexed id, State state);
    event Reported(uint256 issued, uint256 active, uint256 suspended, uint256 closed);

    modifier holderOf(uint256 id) {
        require(permits[id].holder == msg.sender, "not your permit");
        _;
    }

    constructor() public {
        board = msg.sender;
    }

    function request(uint256 litres) external returns (uint256 id) {
        require(litres > 0 && litres <= 100000, "litres out of range");
        id = ++issued;
        permits[id] = Permit(msg.sender, State.Active, litres);
        active += 1;
        emit Issued(id, msg.sender, litres);
    }

    function suspend(uint256 id) external holderOf(id) {
        require(permits[id].state == State.Active, "not active");
        permits[id].state = State.Suspended;
        active -= 1;
        suspended += 1;
        emit Changed(id, State.Suspended);
    }

    function resume(uint256 id) external holderOf(id) {
        require(permits[id].state == State.Suspended, "not suspended");
        permits[id].state = State.Active;
        suspended -= 1;
        active += 1;
        emit Changed(id, State.Active);
    }

    function close(uint256 id) external holderOf(id) {
        State state = permits[id].state;
        require(state != State.Closed, "closed before");
        if (state == State.Active) {
            active -= 1;
        } else {
            suspended -= 1;
        }
        permits[id].state = State.Closed;
        closed += 1;
        emit Changed(id, State.Closed);
    }

    /// A closed permit can be taken up again, for no more water than before.
    function renew(uint256 id, uint256 litres) external holderOf(id) {
        Permit storage permit = permits[id];
        require(permit.state == State.Closed, "still in force");
        require(litres > 0 && litres <= permit.litres, "more than before");
        permit.state = State.Active;
        permit.litres = litres;
        active += 1;
        emit Changed(id, State.Active);
    }

    function pass(uint256 id, address to) external holderOf(id) {
        require(to != address(0), "to nobody");
        permits[id].holder = to;
    }

    function report() external {
        assert(active + suspended + closed == issued); //~ ERROR assertion
        emit Reported(issued, active, suspended, closed);
    }
}
