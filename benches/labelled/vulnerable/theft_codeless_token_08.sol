// SPDX-License-Identifier: MIT
pragma solidity ^0.8.19;

interface IToken {
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}

contract RegionToken {
    string public constant name = "Region";
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    constructor(uint256 supply) {
        balanceOf[msg.sender] = supply;
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        return true;
    }
}

library TokenCalls {
    /// @dev Some tokens return nothing, which is taken as success.
    function take(address token, address from, uint256 amount) internal {
        (bool ok, bytes memory said) =
            token.call(abi.encodeWithSelector(IToken.transferFrom.selector, from, address(this), amount));
        require(ok && (said.length == 0 || abi.decode(said, (bool))), "token not taken");
    }

    function give(address token, address to, uint256 amount) internal {
        (bool ok, bytes memory said) = token.call(abi.encodeWithSelector(IToken.transfer.selector, to, amount));
        require(ok && (said.length == 0 || abi.decode(said, (bool))), "token not given");
    }
}

/// @notice Buys tokens that are listed, for ether that its backers lend it.
contract TokenDesk {
    using TokenCalls for address;

    address public constant ETHER = address(0);

    address public immutable dealer;
    uint256 public backing;
    /// @notice What a token is worth, in ether with 18 decimals; 0 if it is not listed.
    mapping(address token => uint256) public rateOf;
    mapping(address backer => uint256) public backedBy;

    event Listed(address indexed token, uint256 rate);
    event Bought(address indexed token, address indexed seller, uint256 amount, uint256 paid);

    modifier onlyDealer() {
        require(msg.sender == dealer, "dealer only");
        _;
    }

    constructor() {
        dealer = msg.sender;
        rateOf[ETHER] = 1e18; // the unit of all quotes
        emit Listed(ETHER, 1e18);
    }

    function back() external payable {
        backedBy[msg.sender] += msg.value;
        backing += msg.value;
    }

    function takeBack(uint256 amount) external {
        backedBy[msg.sender] -= amount;
        backing -= amount;
        payable(msg.sender).transfer(amount);
    }

    function list(address token, uint256 rate) external onlyDealer {
        require(token != ETHER, "the unit");
        rateOf[token] = rate;
        emit Listed(token, rate);
    }

    function quote(address token, uint256 amount) public view returns (uint256) {
        uint256 rate = rateOf[token];
        require(rate > 0, "not listed");
        return (amount * rate) / 1e18;
    }

    function sell(address token, uint256 amount, uint256 atLeast) external {
        uint256 paid = quote(token, amount);
        require(paid > 0 && paid >= atLeast, "price");
        token.take(msg.sender, amount);
        emit Bought(token, msg.sender, amount, paid);
        payable(msg.sender).transfer(paid); //~ ERROR ether-theft
    }

    function moveOn(address token, address to, uint256 amount) external onlyDealer {
        require(token != ETHER, "not the backing");
        token.give(to, amount);
    }
}
