// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;
// Exploit: flip(side) in a block whose timestamp parity is the chosen side; a contract can compute it, a proposer can set it; doubles the stake.
contract SecondsCoin {
    address payable public house;
    uint256 public wins;
    uint256 public losses;

    event Flipped(address indexed who, bool guess, bool result);

    constructor() payable {
        house = msg.sender;
    }

    receive() external payable {}

    function flip(bool guess) external payable {
        require(msg.value >= 0.01 ether && msg.value <= 1 ether, "stake");
        require(address(this).balance >= msg.value * 2, "house is broke");
        bool result = uint256(keccak256(abi.encodePacked(block.timestamp))) & 1 == 1;
        if (guess == result) {
            wins += 1;
            msg.sender.transfer(msg.value * 2); //~ ERROR timestamp
        } else {
            losses += 1;
        }
        emit Flipped(msg.sender, guess, result);
    }

    function close(uint256 amount) external {
        require(msg.sender == house, "house only");
        house.transfer(amount);
    }
}
