// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract TradeToken {
    uint256 public immutable totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 amount);

    constructor(uint96 supply) {
        totalSupply = supply;
        balanceOf[msg.sender] = supply;
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        _move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        require(amount <= allowance[from][msg.sender], "allowance");
        allowance[from][msg.sender] -= amount;
        _move(from, to, amount);
        return true;
    }

    function _move(address from, address to, uint256 amount) private {
        require(amount <= balanceOf[from], "balance");
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        emit Transfer(from, to, amount);
    }
}

/// @notice Ether against a token, constant product, 0.3% stays in the pair.
contract EtherPair {
    uint256 private constant MINIMUM = 1000;

    TradeToken public immutable token;
    uint256 public reserveEther;
    uint256 public reserveToken;
    uint256 public totalShares;
    mapping(address => uint256) public sharesOf;
    uint256 private _unlocked = 1;

    event Added(address indexed who, uint256 etherIn, uint256 tokenIn, uint256 shares);
    event Removed(address indexed who, uint256 etherOut, uint256 tokenOut, uint256 shares);
    event Swapped(address indexed who, bool buys, uint256 amountIn, uint256 amountOut);

    modifier lock() {
        require(_unlocked == 1, "locked");
        _unlocked = 0;
        _;
        _unlocked = 1;
    }

    constructor(TradeToken token_) {
        token = token_;
    }

    function add(uint256 maxTokens) external payable lock returns (uint256 shares) {
        uint256 tokens;
        if (totalShares == 0) {
            tokens = maxTokens;
            shares = msg.value;
            require(tokens > MINIMUM && shares > MINIMUM, "too little");
            totalShares = shares;
            sharesOf[address(0)] = MINIMUM;
            shares -= MINIMUM;
        } else {
            tokens = (msg.value * reserveToken) / reserveEther + 1;
            shares = (msg.value * totalShares) / reserveEther;
            require(tokens <= maxTokens && shares > 0, "terms");
            totalShares += shares;
        }
        sharesOf[msg.sender] += shares;
        reserveEther += msg.value;
        reserveToken += tokens;
        require(token.transferFrom(msg.sender, address(this), tokens), "tokens");
        emit Added(msg.sender, msg.value, tokens, shares);
    }

    function remove(uint256 shares) external lock {
        require(shares > 0 && shares <= sharesOf[msg.sender], "shares");
        uint256 etherOut = (shares * reserveEther) / totalShares;
        uint256 tokenOut = (shares * reserveToken) / totalShares;
        sharesOf[msg.sender] -= shares;
        totalShares -= shares;
        reserveEther -= etherOut;
        reserveToken -= tokenOut;
        emit Removed(msg.sender, etherOut, tokenOut, shares);
        require(token.transfer(msg.sender, tokenOut), "tokens");
        _pay(msg.sender, etherOut);
    }

    function buy(uint256 minTokens) external payable lock {
        require(totalShares > 0 && msg.value > 0, "nothing to trade");
        uint256 tokens = _out(msg.value, reserveEther, reserveToken);
        require(tokens >= minTokens, "price");
        reserveEther += msg.value;
        reserveToken -= tokens;
        emit Swapped(msg.sender, true, msg.value, tokens);
        require(token.transfer(msg.sender, tokens), "tokens");
    }

    function sell(uint256 tokens, uint256 minEther) external lock {
        require(totalShares > 0 && tokens > 0, "nothing to trade");
        uint256 amount = _out(tokens, reserveToken, reserveEther);
        require(amount >= minEther, "price");
        reserveToken += tokens;
        reserveEther -= amount;
        emit Swapped(msg.sender, false, tokens, amount);
        require(token.transferFrom(msg.sender, address(this), tokens), "tokens");
        _pay(msg.sender, amount);
    }

    function _out(uint256 amountIn, uint256 reserveIn, uint256 reserveOut) private pure returns (uint256) {
        uint256 withFee = amountIn * 997;
        return (withFee * reserveOut) / (reserveIn * 1000 + withFee);
    }

    function _pay(address to, uint256 amount) private {
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "ether was not taken");
    }
}
