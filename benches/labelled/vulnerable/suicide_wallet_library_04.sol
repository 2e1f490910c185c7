// SPDX-License-Identifier: MIT
pragma solidity ^0.4.24;
// Exploit: send Wallet the calldata of setUp(attacker, cap): delegated to the logic, it re-initialises the wallet; then spend() or close().
contract WalletLogic {
    address internal logic;
    address public owner;
    uint256 public spendCap;

    modifier onlyOwner() {
        require(msg.sender == owner);
        _;
    }

    function setUp(address newOwner, uint256 cap) public {
        owner = newOwner;
        spendCap = cap;
    }

    function spend(address to, uint256 amount) public onlyOwner {
        require(amount <= spendCap);
        to.transfer(amount); //~ ERROR ether-theft
    }

    function close(address to) public onlyOwner {
        selfdestruct(to); //~ ERROR self-destruct
    }
}

contract Wallet {
    address internal logic;
    address public owner;
    uint256 public spendCap;

    event Deposit(address indexed from, uint256 amount);

    constructor(address code) public payable {
        logic = code;
        owner = msg.sender;
        spendCap = 1 ether;
    }

    function () public payable {
        if (msg.data.length == 0) {
            emit Deposit(msg.sender, msg.value);
        } else {
            require(logic.delegatecall(msg.data));
        }
    }
}
