// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Locked ether counts as votes of the delegate that its holder chose.
contract VoteLedger {
    uint256 public totalLocked;
    mapping(address => uint256) public locked;
    mapping(address => address) public delegateOf;
    mapping(address => uint256) public votes;

    event Locked(address indexed who, uint256 amount);
    event Unlocked(address indexed who, uint256 amount);
    event Delegated(address indexed who, address indexed to);

    function lock() external payable {
        require(msg.value > 0, "nothing");
        locked[msg.sender] += msg.value;
        totalLocked += msg.value;
        emit Locked(msg.sender, msg.value);
    }

    function delegate(address to) external {
        require(to != address(0), "nobody");
        address old = delegateOf[msg.sender];
        require(old != to, "already there");
        uint256 weight = locked[msg.sender];
        if (old != address(0)) _debit(old, weight);
        votes[to] += weight;
        delegateOf[msg.sender] = to;
        emit Delegated(msg.sender, to);
    }

    function unlock(uint256 amount) external {
        require(amount > 0 && amount <= locked[msg.sender], "not that much");
        locked[msg.sender] -= amount;
        totalLocked -= amount;
        address chosen = delegateOf[msg.sender];
        if (chosen != address(0)) _debit(chosen, amount);
        emit Unlocked(msg.sender, amount);
        payable(msg.sender).transfer(amount);
    }

    function _debit(address from, uint256 amount) private {
        unchecked {
            votes[from] -= amount; //~ ERROR overflow
        }
    }

    /// The part of all locked ether that stands behind `who`, in hundredths of a percent.
    function supportOf(address who) public view returns (uint256) {
        assert(votes[who] <= totalLocked); //~ ERROR assertion
        if (totalLocked == 0) return 0;
        return (votes[who] * 10_000) / totalLocked;
    }
}

/// Asks the ledger whether somebody may speak for the others.
contract Council {
    uint256 public constant SEAT = 500;

    VoteLedger public immutable ledger;
    mapping(address => bool) public seated;
    uint256 public seats;

    constructor(VoteLedger ledger_) {
        ledger = ledger_;
    }

    function takeSeat() external {
        require(!seated[msg.sender], "seated");
        require(ledger.supportOf(msg.sender) >= SEAT, "too little support");
        seated[msg.sender] = true;
        seats++;
    }

    function leaveSeat() external {
        require(seated[msg.sender], "not seated");
        seated[msg.sender] = false;
        seats--;
    }
}
