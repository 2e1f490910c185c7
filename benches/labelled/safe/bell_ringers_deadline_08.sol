// SPDX-License-Identifier: MIT
pragma solidity ^0.8.4;

/// A pot for the bells. Who gave most until the evening rings them, and gets a tenth of the pot for the ringers' supper.
contract BellPot {
    uint256 public constant EVENING = 1 days;
    uint256 public constant LEAST = 0.001 ether;

    address public immutable verger;
    uint256 public endsAt;
    uint256 public round;
    uint256 public pot;
    uint256 public forTheBells;
    address payable public leader;
    mapping(uint256 => mapping(address => uint256)) public gifts;

    event Started(uint256 indexed round, uint256 endsAt);
    event Given(uint256 indexed round, address indexed by, uint256 amount);
    event Rung(uint256 indexed round, address indexed by, uint256 supper);

    error TooLate(uint256 endedAt);
    error TooEarly(uint256 endsAt_);

    constructor() {
        verger = msg.sender;
        _start();
    }

    function give() external payable {
        if (block.timestamp >= endsAt) revert TooLate(endsAt);
        require(msg.value >= LEAST, "too little");
        gifts[round][msg.sender] += msg.value;
        pot += msg.value;
        if (gifts[round][msg.sender] > gifts[round][leader]) {
            leader = payable(msg.sender);
        }
        emit Given(round, msg.sender, msg.value);
    }

    function ring() external {
        if (block.timestamp < endsAt) revert TooEarly(endsAt);
        address payable ringer = leader;
        uint256 supper = pot / 10;
        forTheBells += pot - supper;
        pot = 0;
        leader = payable(address(0));
        emit Rung(round, ringer, supper);
        _start();
        if (ringer != address(0) && !ringer.send(supper)) {
            forTheBells += supper; // no supper for who does not take it
        }
    }

    function mendBells(address payable founder) external {
        require(msg.sender == verger, "verger only");
        uint256 amount = forTheBells;
        forTheBells = 0;
        founder.transfer(amount);
    }

    function _start() private {
        round += 1;
        endsAt = block.timestamp + EVENING;
        emit Started(round, endsAt);
    }
}
