// SPDX-License-Identifier: MIT
pragma solidity ^0.6.0;

contract CoinStreak {
    uint256 private constant FACTOR = 57896044618658097711785492504343953926634992332820282019728792003956564819968;
    uint256 public constant STAKE = 1 finney;

    address payable public banker;
    uint256 public flips;
    bool public closed;
    mapping(address => uint256) public streakOf;
    mapping(address => uint256) public bestOf;

    event Flipped(address indexed player, bool side, bool won);
    event Banked(uint256 amount);

    modifier onlyBanker() {
        require(msg.sender == banker, "banker only");
        _;
    }

    constructor(address payable _banker) public payable {
        require(_banker != address(0), "no banker");
        banker = _banker;
    }

    function bank() external payable {
        emit Banked(msg.value);
    }

    function flip(bool guess) external payable {
        require(!closed, "closed");
        require(msg.value == STAKE, "stake");
        require(address(this).balance >= 2 * STAKE, "bank is broke");
        uint256 value = uint256(blockhash(block.number - 1));
        bool side = value / FACTOR == 1;
        flips++;
        if (side == guess) {
            streakOf[msg.sender]++;
            if (streakOf[msg.sender] > bestOf[msg.sender]) {
                bestOf[msg.sender] = streakOf[msg.sender];
            }
            emit Flipped(msg.sender, side, true);
            msg.sender.transfer(2 * STAKE); //~ ERROR block-number
        } else {
            streakOf[msg.sender] = 0;
            emit Flipped(msg.sender, side, false);
        }
    }

    function close(bool value) external onlyBanker {
        closed = value;
    }

    function takeOut(uint256 amount) external onlyBanker {
        banker.transfer(amount);
    }
}
