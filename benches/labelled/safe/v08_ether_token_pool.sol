// By design: trades move the price; callers set their own limits and deadline.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract EtherTokenPool {
    uint256 public constant MINIMUM_SHARES = 1000;

    // the pool keeps the token's books itself
    mapping(address => uint256) public tokenOf;
    mapping(address => uint256) public sharesOf;
    uint256 public totalShares;
    uint256 public etherReserve;
    uint256 public tokenReserve;
    bool private _locked;

    event Bought(address indexed who, uint256 etherIn, uint256 tokensOut);
    event Sold(address indexed who, uint256 tokensIn, uint256 etherOut);
    event Added(address indexed who, uint256 etherIn, uint256 tokensIn, uint256 shares);
    event Removed(address indexed who, uint256 etherOut, uint256 tokensOut, uint256 shares);

    modifier lock() {
        require(!_locked, "locked");
        _locked = true;
        _;
        _locked = false;
    }

    modifier before(uint256 deadline) {
        require(block.timestamp <= deadline, "expired");
        _;
    }

    constructor() {
        tokenOf[msg.sender] = 1_000_000e18;
    }

    function transferToken(address to, uint256 amount) external lock {
        require(to != address(0), "zero");
        tokenOf[msg.sender] -= amount;
        tokenOf[to] += amount;
    }

    function add(uint256 maxTokens, uint256 minShares, uint256 deadline)
        external
        payable
        lock
        before(deadline)
        returns (uint256 shares)
    {
        uint256 tokens;
        if (totalShares == 0) {
            tokens = maxTokens;
            require(msg.value > 1e6 && tokens > 1e6, "too little");
            shares = msg.value - MINIMUM_SHARES;
            totalShares = MINIMUM_SHARES;
        } else {
            // rounded up for the pool
            tokens = msg.value * tokenReserve / etherReserve + 1;
            require(tokens <= maxTokens, "tokens");
            shares = msg.value * totalShares / etherReserve;
        }
        require(shares > 0 && shares >= minShares, "shares");
        tokenOf[msg.sender] -= tokens;
        etherReserve += msg.value;
        tokenReserve += tokens;
        totalShares += shares;
        sharesOf[msg.sender] += shares;
        emit Added(msg.sender, msg.value, tokens, shares);
    }

    function remove(uint256 shares, uint256 minEther, uint256 minTokens, uint256 deadline)
        external
        lock
        before(deadline)
    {
        require(shares > 0, "shares");
        uint256 etherOut = shares * etherReserve / totalShares;
        uint256 tokensOut = shares * tokenReserve / totalShares;
        require(etherOut >= minEther && tokensOut >= minTokens, "slippage");
        sharesOf[msg.sender] -= shares;
        totalShares -= shares;
        etherReserve -= etherOut;
        tokenReserve -= tokensOut;
        tokenOf[msg.sender] += tokensOut;
        _pay(msg.sender, etherOut);
        emit Removed(msg.sender, etherOut, tokensOut, shares);
    }

    function buy(uint256 minTokens, uint256 deadline) external payable lock before(deadline) returns (uint256 out) {
        out = quote(msg.value, etherReserve, tokenReserve);
        require(out > 0 && out >= minTokens, "slippage");
        etherReserve += msg.value;
        tokenReserve -= out;
        tokenOf[msg.sender] += out;
        emit Bought(msg.sender, msg.value, out);
    }

    function sell(uint256 tokens, uint256 minEther, uint256 deadline)
        external
        lock
        before(deadline)
        returns (uint256 out)
    {
        out = quote(tokens, tokenReserve, etherReserve);
        require(out > 0 && out >= minEther, "slippage");
        tokenOf[msg.sender] -= tokens;
        tokenReserve += tokens;
        etherReserve -= out;
        _pay(msg.sender, out);
        emit Sold(msg.sender, tokens, out);
    }

    function quote(uint256 amountIn, uint256 reserveIn, uint256 reserveOut) public pure returns (uint256) {
        require(amountIn > 0 && reserveIn > 0 && reserveOut > 0, "liquidity");
        uint256 withFee = amountIn * 997;
        return withFee * reserveOut / (reserveIn * 1000 + withFee);
    }

    function _pay(address to, uint256 amount) private {
        (bool ok,) = to.call{value: amount}("");
        require(ok, "payment failed");
    }
}
