// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract PrizeToken {
    string public constant name = "Gallery Prize";
    string public constant symbol = "PRIZE";
    uint8 public constant decimals = 18;
    uint256 public constant totalSupply = 1_000_000e18;

    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor() {
        balanceOf[msg.sender] = totalSupply;
        emit Transfer(address(0), msg.sender, totalSupply);
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        _move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] -= value;
        _move(from, to, value);
        return true;
    }

    function _move(address from, address to, uint256 value) private {
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}

/// Visitors pay to take part, and one of each three gets the prize.
contract GalleryDraw {
    uint256 public constant ENTRY = 1 gwei;
    uint256 public constant PRIZE = 100e18;
    uint256 public constant SEATS = 3;

    PrizeToken public immutable token = new PrizeToken();
    address public immutable gallery = msg.sender;
    uint256 public round;
    uint256 public takings;
    address[] private visitors;
    mapping(uint256 => mapping(address => bool)) public takesPart;

    event Entered(uint256 indexed round, address indexed visitor);
    event Drawn(uint256 indexed round, address indexed winner);

    function enter() external payable {
        require(msg.value == ENTRY, "wrong amount");
        require(visitors.length < SEATS, "full");
        require(!takesPart[round][msg.sender], "already in");
        takesPart[round][msg.sender] = true;
        visitors.push(msg.sender);
        takings += msg.value;
        emit Entered(round, msg.sender);
    }

    function draw() external {
        require(visitors.length == SEATS, "not full yet");
        bytes32 seed = keccak256(abi.encodePacked(blockhash(block.number - 1), block.prevrandao, round));
        address winner = visitors[uint256(seed) % SEATS];
        emit Drawn(round, winner);
        round++;
        delete visitors;
        require(token.transfer(winner, PRIZE), "no prize"); //~ ERROR block-number
    }

    function seatsTaken() external view returns (uint256) {
        return visitors.length;
    }

    function collect() external {
        require(msg.sender == gallery, "not the gallery");
        uint256 amount = takings;
        takings = 0;
        payable(gallery).transfer(amount);
    }
}
