// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
// Exploit: commit(0) with 1 ether, wait more than 256 blocks so that blockhash(settleBlock) is 0, settle() pays twice the stake.
contract HashGuess {
    struct Guess {
        bytes32 answer;
        uint256 settleBlock;
    }

    uint256 public constant STAKE = 1 ether;

    address payable public immutable host;
    uint256 public open;
    mapping(address => Guess) public guesses;

    constructor() payable {
        host = payable(msg.sender);
    }

    function fund() external payable {}

    function commit(bytes32 answer) external payable {
        require(msg.value == STAKE, "stake");
        require(guesses[msg.sender].settleBlock == 0, "open guess");
        guesses[msg.sender] = Guess(answer, block.number + 1);
        open += 1;
    }

    function settle() external {
        Guess memory g = guesses[msg.sender];
        require(g.settleBlock != 0 && block.number > g.settleBlock, "too early");
        delete guesses[msg.sender];
        open -= 1;
        if (g.answer == blockhash(g.settleBlock)) {
            payable(msg.sender).transfer(STAKE * 2); //~ ERROR block-number
        }
    }

    function close() external {
        require(msg.sender == host && open == 0, "not now");
        host.transfer(address(this).balance);
    }
}
