// SPDX-License-Identifier: MIT
pragma solidity ^0.6.0;

abstract contract OneAtATime {
    bool private busy;

    modifier oneAtATime() {
        require(!busy, "one at a time");
        busy = true;
        _;
        busy = false;
    }
}

/// Wine growers put money by for the vintage, and are paid out all at once or one by one.
contract VintagePurse is OneAtATime {
    uint256 public constant MAX_GROWERS = 30;

    address public cellarer;
    uint256 public vintage = 2020;

    address payable[] private growers;
    mapping(address => bool) public isGrower;
    mapping(address => uint256) public savings;

    event Saved(address indexed grower, uint256 amount);
    event TakenOut(address indexed grower, uint256 amount);
    event Missed(address indexed grower, uint256 amount);
    event VintageClosed(uint256 indexed vintage, uint256 paid);

    constructor() public {
        cellarer = msg.sender;
    }

    function save() external payable oneAtATime {
        require(msg.value >= 1000, "too little");
        if (!isGrower[msg.sender]) {
            require(growers.length < MAX_GROWERS, "the cellar is full");
            isGrower[msg.sender] = true;
            growers.push(msg.sender);
        }
        savings[msg.sender] += msg.value;
        emit Saved(msg.sender, msg.value);
    }

    function takeOut(uint256 amount) external oneAtATime {
        require(amount > 0 && amount <= savings[msg.sender], "not so much saved");
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "not accepted");
        savings[msg.sender] -= amount;
        emit TakenOut(msg.sender, amount);
    }

    function closeVintage() external oneAtATime {
        require(isGrower[msg.sender], "growers only");
        require(growers.length > 1, "no vintage yet");
        uint256 paid = 0;
        for (uint256 i = 0; i < growers.length; i++) {
            address payable grower = growers[i];
            uint256 amount = savings[grower];
            if (amount == 0) {
                continue;
            }
            (bool ok, ) = grower.call{value: amount}("");
            if (ok) {
                savings[grower] = 0;
                paid += amount;
            } else {
                emit Missed(grower, amount);
            }
        }
        emit VintageClosed(vintage, paid);
        vintage += 1;
    }
}
