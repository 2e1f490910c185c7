// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @dev Gas golfed balances. Slots are those of a mapping at `seed`.
abstract contract LeanBalances {
    mapping(address => uint256) internal _balances;

    event Transfer(address indexed from, address indexed to, uint256 amount);

    error InsufficientBalance();
    error BadReceiver();

    function balanceOf(address account) public view returns (uint256) {
        return _balances[account];
    }

    function _move(address from, address to, uint256 amount) internal {
        if (to == address(0) || to == from) revert BadReceiver();
        assembly {
            mstore(0x20, _balances.slot)
            mstore(0x00, from)
            let fromSlot := keccak256(0x00, 0x40)
            let fromBalance := sload(fromSlot)
            if slt(fromBalance, amount) {
                mstore(0x00, 0xf4d678b8) // InsufficientBalance()
                revert(0x1c, 0x04)
            }
            sstore(fromSlot, sub(fromBalance, amount)) //~ ERROR overflow
            mstore(0x00, to)
            let toSlot := keccak256(0x00, 0x40)
            sstore(toSlot, add(sload(toSlot), amount))
        }
        emit Transfer(from, to, amount);
    }

    function _credit(address to, uint256 amount) internal {
        _balances[to] += amount;
        emit Transfer(address(0), to, amount);
    }
}

/// @title Points of a fair: bought with ether at the gate, spent at stalls
contract FairPoints is LeanBalances {
    uint256 public constant PER_ETHER = 1000;

    string public name;
    address public immutable organiser;
    uint256 public totalSupply;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => bool) public isStall;

    event Approval(address indexed holder, address indexed spender, uint256 amount);
    event StallSet(address indexed stall, bool open);
    event Purchase(address indexed stall, address indexed visitor, uint256 amount, bytes32 article);

    modifier onlyOrganiser() {
        require(msg.sender == organiser, "organiser only");
        _;
    }

    constructor(string memory name_) {
        name = name_;
        organiser = msg.sender;
    }

    function enter() external payable {
        require(msg.value >= 0.001 ether, "too little");
        uint256 points = msg.value * PER_ETHER;
        totalSupply += points;
        _credit(msg.sender, points);
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        _move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        _move(from, to, amount);
        return true;
    }

    function setStall(address stall, bool open) external onlyOrganiser {
        isStall[stall] = open;
        emit StallSet(stall, open);
    }

    function purchase(address stall, uint256 amount, bytes32 article) external {
        require(isStall[stall], "not a stall");
        _move(msg.sender, stall, amount);
        emit Purchase(stall, msg.sender, amount, article);
    }

    function takings(uint256 amount) external onlyOrganiser {
        payable(organiser).transfer(amount);
    }
}
