// SPDX-License-Identifier: MIT
pragma solidity ^0.8.19;

/// @notice Canoes for hire. Who damaged one, or grew fond of it, may buy it.
contract CanoeFleet {
    enum State {
        Idle,
        Hired,
        InRepair,
        Sold
    }

    struct Canoe {
        State state;
        address hirer;
        uint64 hiredAt;
    }

    uint256 public constant HIRE = 0.001 ether;
    uint256 public constant PRICE = 0.01 ether;

    address public immutable boathouse;
    uint256 public fleet;
    mapping(State state => uint256) public countOf;
    Canoe[] public canoes;

    event Hired(uint256 indexed canoe, address indexed hirer);
    event BroughtBack(uint256 indexed canoe, bool damaged);
    event Mended(uint256 indexed canoe);
    event SoldTo(uint256 indexed canoe, address indexed buyer);

    modifier audited() {
        _;
        uint256 counted = countOf[State.Idle] + countOf[State.Hired] + countOf[State.InRepair];
        assert(counted == fleet); //~ ERROR assertion
    }

    constructor(uint8 count) {
        require(count > 0 && count <= 20, "count");
        boathouse = msg.sender;
        for (uint256 i = 0; i < count; i++) {
            canoes.push();
        }
        fleet = count;
        countOf[State.Idle] = count;
    }

    function hire(uint256 id) external payable audited {
        require(msg.value >= HIRE, "hire");
        Canoe storage c = _canoe(id);
        require(c.state == State.Idle, "not free");
        c.hirer = msg.sender;
        c.hiredAt = uint64(block.timestamp);
        _move(c, State.Hired);
        emit Hired(id, msg.sender);
    }

    function bringBack(uint256 id, bool damaged) external audited {
        Canoe storage c = _canoe(id);
        require(c.state == State.Hired && c.hirer == msg.sender, "not your canoe");
        _move(c, damaged ? State.InRepair : State.Idle);
        emit BroughtBack(id, damaged);
    }

    function mend(uint256 id) external audited {
        require(msg.sender == boathouse, "boathouse only");
        Canoe storage c = _canoe(id);
        require(c.state == State.InRepair, "not damaged");
        _move(c, State.Idle);
        emit Mended(id);
    }

    function buy(uint256 id) external payable audited {
        require(msg.value >= PRICE, "price");
        Canoe storage c = _canoe(id);
        require(c.hirer == msg.sender, "hire it first");
        require(c.state == State.Hired || c.state == State.InRepair, "not in your hands");
        if (c.state == State.Hired) {
            countOf[State.Hired] -= 1;
        }
        c.state = State.Sold;
        fleet -= 1;
        emit SoldTo(id, msg.sender);
    }

    function collect() external {
        require(msg.sender == boathouse, "boathouse only");
        payable(boathouse).transfer(address(this).balance);
    }

    function _canoe(uint256 id) private view returns (Canoe storage) {
        require(id < canoes.length, "no such canoe");
        return canoes[id];
    }

    function _move(Canoe storage c, State to) private {
        countOf[c.state] -= 1;
        countOf[to] += 1;
        c.state = to;
    }
}
