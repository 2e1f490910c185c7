// SPDX-License-Identifier: MIT
pragma solidity ^0.4.0;
// Exploit: _sendWinnings has no visibility, in 0.4 that is public: anyone calls it directly with the whole balance.
contract CodeQuiz {
    address public quizMaster;
    bytes32 public answerHash;
    mapping(address => uint256) public tries;

    function CodeQuiz(bytes32 hash) payable {
        quizMaster = msg.sender;
        answerHash = hash;
    }

    function () payable {}

    function solve(string answer) {
        require(tries[msg.sender] < 3);
        tries[msg.sender] += 1;
        require(keccak256(answer, msg.sender) == answerHash);
        answerHash = 0;
        _sendWinnings(this.balance);
    }

    function newQuiz(bytes32 hash) {
        require(msg.sender == quizMaster);
        answerHash = hash;
    }

    function _sendWinnings(uint256 amount) {
        require(amount <= this.balance);
        msg.sender.transfer(amount); //~ ERROR ether-theft
    }
}
