// Sound: redeeming writes the supply and the reserve both before the holder is called, so the ratio that the shop asks for holds at every moment of a call.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Scrip of a town, issued for ether one to one and redeemed at any time
/// @notice The town may add to the reserve, and take back no more than the surplus.
contract TownScrip {
    string public constant name = "Town Scrip";
    uint8 public constant decimals = 18;

    address public immutable treasurer;
    uint256 public totalSupply;
    uint256 public reserve;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor() {
        treasurer = msg.sender;
    }

    function issue() external payable {
        require(msg.value > 0, "nothing");
        reserve += msg.value;
        totalSupply += msg.value;
        balanceOf[msg.sender] += msg.value;
        emit Transfer(address(0), msg.sender, msg.value);
    }

    function redeem(uint256 amount) external {
        balanceOf[msg.sender] -= amount;
        totalSupply -= amount;
        reserve -= amount;
        emit Transfer(msg.sender, address(0), amount);
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok, "not accepted");
    }

    function addReserve() external payable {
        reserve += msg.value;
    }

    function takeSurplus(uint256 amount) external {
        require(msg.sender == treasurer, "not the treasurer");
        require(amount <= reserve - totalSupply, "more than the surplus");
        reserve -= amount;
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok, "not accepted");
    }

    /// @notice How far the scrip is backed, 1e18 for fully.
    function ratio() external view returns (uint256) {
        return totalSupply == 0 ? type(uint256).max : reserve * 1e18 / totalSupply;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
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
        require(to != address(0), "recipient");
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}

/// @title Bakery that takes scrip as long as it is fully backed
contract ScripBakery {
    TownScrip public immutable scrip;
    address public immutable baker;
    uint256 public constant LOAF = 4 gwei;

    mapping(address => uint256) public loavesOf;
    uint256 public baked;

    event Bought(address indexed who, uint256 loaves);

    constructor() {
        scrip = new TownScrip();
        baker = msg.sender;
    }

    receive() external payable {
        require(msg.sender == address(scrip), "scrip only");
    }

    function buy(uint256 count) external {
        require(count > 0 && count <= 100, "count");
        require(scrip.ratio() >= 1e18, "not backed");
        loavesOf[msg.sender] += count;
        baked += count;
        require(scrip.transferFrom(msg.sender, address(this), count * LOAF), "scrip");
        emit Bought(msg.sender, count);
    }

    function eat(uint256 count) external {
        loavesOf[msg.sender] -= count;
    }

    /// @notice The baker changes the scrip that was taken into ether.
    function cashUp() external {
        require(msg.sender == baker, "not the baker");
        uint256 amount = scrip.balanceOf(address(this));
        scrip.redeem(amount);
        (bool ok,) = baker.call{value: amount}("");
        require(ok, "not accepted");
    }
}
