// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

contract RoyaltySplits {
    struct Split {
        address creator;
        address payable[] payees;
        uint8[] percents;
        uint256 held;
        uint256 received;
    }

    address payable public immutable house;
    uint256 public splitCount;
    uint256 public maxPayees;
    mapping(uint256 => Split) private splits;
    mapping(uint256 => bool) public frozen;

    event Created(uint256 indexed id, address indexed creator, uint256 payees);
    event Received(uint256 indexed id, address indexed from, uint256 amount);
    event Distributed(uint256 indexed id, uint256 amount);

    constructor(address payable _house, uint8 _maxPayees) {
        house = _house;
        maxPayees = uint256(_maxPayees) + 4;
    }

    // What the percents leave over goes to the house.
    function create(address payable[] calldata payees, uint8[] calldata percents) external returns (uint256 id) {
        require(payees.length > 0 && payees.length <= maxPayees, "payees");
        require(payees.length == percents.length, "lengths");
        uint8 total = 0;
        for (uint256 i = 0; i < percents.length; i++) {
            require(payees[i] != address(0), "no payee");
            total += percents[i]; //~ ERROR overflow
        }
        require(total <= 100, "more than everything");
        id = ++splitCount;
        Split storage s = splits[id];
        s.creator = msg.sender;
        s.payees = payees;
        s.percents = percents;
        emit Created(id, msg.sender, payees.length);
    }

    function pay(uint256 id) external payable {
        require(splits[id].creator != address(0), "no such split");
        require(msg.value >= 100, "too little");
        splits[id].held += msg.value;
        splits[id].received += msg.value;
        emit Received(id, msg.sender, msg.value);
    }

    function distribute(uint256 id) external {
        Split storage s = splits[id];
        require(!frozen[id], "frozen");
        uint256 amount = s.held;
        require(amount > 0, "nothing held");
        s.held = 0;
        uint256 paid = 0;
        for (uint256 i = 0; i < s.payees.length; i++) {
            uint256 part = (amount * s.percents[i]) / 100;
            paid += part;
            s.payees[i].transfer(part);
        }
        if (paid < amount) {
            house.transfer(amount - paid);
        }
        emit Distributed(id, amount);
    }

    function freeze(uint256 id, bool value) external {
        require(msg.sender == house, "house only");
        frozen[id] = value;
    }

    function partOf(uint256 id, uint256 index) external view returns (address, uint8) {
        require(index < splits[id].payees.length, "index");
        return (splits[id].payees[index], splits[id].percents[index]);
    }
}
