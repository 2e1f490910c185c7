// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

contract Points {
    string public name;
    address public immutable desk;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 amount);

    modifier onlyDesk() {
        require(msg.sender == desk, "desk only");
        _;
    }

    constructor(string memory _name) {
        name = _name;
        desk = msg.sender;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        require(to != address(0), "no receiver");
        require(balanceOf[msg.sender] >= amount, "balance");
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        emit Transfer(msg.sender, to, amount);
        return true;
    }

    function mint(address to, uint256 amount) external onlyDesk {
        totalSupply += amount;
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    function burnAll(address from) external onlyDesk {
        uint256 amount = balanceOf[from];
        balanceOf[from] = 0;
        totalSupply -= amount;
        emit Transfer(from, address(0), amount);
    }
}

contract Treasury {
    address public immutable desk;
    uint256 public paidOut;

    event Paid(address indexed to, uint256 amount);

    constructor() {
        desk = msg.sender;
    }

    receive() external payable {}

    function payOut(address to, uint256 amount) external {
        require(msg.sender == desk, "desk only");
        paidOut += amount;
        (bool ok, ) = to.call{value: amount}(""); //~ ERROR reentrancy
        require(ok, "payment failed");
        emit Paid(to, amount);
    }
}

contract PointsDesk {
    Points public immutable points;
    Treasury public immutable treasury;
    address public operator;
    bool public closed;

    event Redeemed(address indexed who, uint256 amount);

    constructor(string memory pointsName) {
        operator = msg.sender;
        points = new Points(pointsName);
        treasury = new Treasury();
    }

    function buy() external payable {
        require(!closed, "closed");
        require(msg.value > 0, "no ether");
        points.mint(msg.sender, msg.value);
        (bool ok, ) = address(treasury).call{value: msg.value}("");
        require(ok, "treasury");
    }

    function redeemAll() external {
        uint256 amount = points.balanceOf(msg.sender);
        require(amount > 0, "no points");
        treasury.payOut(msg.sender, amount);
        points.burnAll(msg.sender);
        emit Redeemed(msg.sender, amount);
    }

    function close() external {
        require(msg.sender == operator, "operator only");
        closed = true;
    }
}
