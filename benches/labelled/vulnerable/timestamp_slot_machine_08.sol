// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract SlotMachine {
    uint256 public constant BET = 0.001 ether;
    uint256 public constant PRIZE = 0.005 ether;

    address public immutable house;
    bytes32 public immutable machine;
    uint256 public spins;
    uint256 public wins;
    mapping(address => uint256) public spinsOf;

    event Funded(address indexed from, uint256 amount);
    event Spun(address indexed player, uint256 left, uint256 middle, uint256 right);
    event Jackpot(address indexed player, uint256 prize);

    error WrongBet(uint256 sent);
    error MachineEmpty();

    constructor(bytes32 machine_) payable {
        house = msg.sender;
        machine = machine_;
    }

    receive() external payable {
        emit Funded(msg.sender, msg.value);
    }

    function spin() external payable returns (bool won) {
        if (msg.value != BET) revert WrongBet(msg.value);
        if (address(this).balance < PRIZE) revert MachineEmpty();
        spins += 1;
        spinsOf[msg.sender] += 1;
        (uint256 left, uint256 middle, uint256 right) = _reels(msg.sender);
        emit Spun(msg.sender, left, middle, right);
        won = left == middle && middle == right;
        if (won) {
            wins += 1;
            emit Jackpot(msg.sender, PRIZE);
            payable(msg.sender).transfer(PRIZE); //~ ERROR timestamp
        }
    }

    function _reels(address player) private view returns (uint256, uint256, uint256) {
        uint256 seed = uint256(keccak256(abi.encodePacked(block.timestamp, player, machine)));
        return (seed % 3, (seed >> 64) % 3, (seed >> 128) % 3);
    }

    function empty(uint256 amount) external {
        require(msg.sender == house, "house only");
        payable(house).transfer(amount);
    }

    function payoutRate() external view returns (uint256) {
        return spins == 0 ? 0 : (wins * 100) / spins;
    }
}
