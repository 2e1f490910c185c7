// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract NeighbourhoodBank {
    address public immutable treasurer;
    uint256 public immutable fee;
    uint256 public members;
    uint256 private _status = 1;

    mapping(address => bool) public isMember;
    mapping(address => uint256) public savings;

    event Joined(address indexed who);
    event Saved(address indexed who, uint256 amount);
    event Moved(address indexed from, address indexed to, uint256 amount);
    event Paid(address indexed who, uint256 amount);

    error Reentrant();
    error NoMember(address who);

    modifier nonReentrant() {
        if (_status == 2) revert Reentrant();
        _status = 2;
        _;
        _status = 1;
    }

    modifier onlyMember() {
        if (!isMember[msg.sender]) revert NoMember(msg.sender);
        _;
    }

    constructor(uint16 fee_) {
        treasurer = msg.sender;
        fee = fee_;
    }

    function save() external payable nonReentrant {
        require(msg.value > fee, "less than the fee");
        if (!isMember[msg.sender]) {
            isMember[msg.sender] = true;
            members += 1;
            emit Joined(msg.sender);
        }
        savings[treasurer] += fee;
        savings[msg.sender] += msg.value - fee;
        emit Saved(msg.sender, msg.value);
    }

    function move(address to, uint256 amount) external nonReentrant {
        require(to != address(0) && amount <= savings[msg.sender], "terms");
        savings[msg.sender] -= amount;
        savings[to] += amount;
        emit Moved(msg.sender, to, amount);
    }

    function withdraw(uint256 amount) external nonReentrant {
        uint256 balance = savings[msg.sender];
        require(amount > 0 && amount <= balance, "more than saved");
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "not accepted");
        unchecked {
            savings[msg.sender] = balance - amount;
        }
        emit Paid(msg.sender, amount);
    }

    function resign() external onlyMember nonReentrant {
        uint256 amount = savings[msg.sender];
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "not accepted");
        savings[msg.sender] = 0;
        isMember[msg.sender] = false;
        members -= 1;
        emit Paid(msg.sender, amount);
    }
}
