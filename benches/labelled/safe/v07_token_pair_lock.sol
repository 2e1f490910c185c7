// By design: swaps move the price; reserves are kept in the books, gifts to the pair change nothing.
// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

library SafeMath {
    function add(uint256 a, uint256 b) internal pure returns (uint256 c) {
        require((c = a + b) >= a, "add");
    }

    function sub(uint256 a, uint256 b) internal pure returns (uint256 c) {
        require((c = a - b) <= a, "sub");
    }

    function mul(uint256 a, uint256 b) internal pure returns (uint256 c) {
        require(b == 0 || (c = a * b) / b == a, "mul");
    }
}

/// an ether wrapper, so that everybody can come by both tokens
contract Wrapped {
    using SafeMath for uint256;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    function deposit() external payable {
        balanceOf[msg.sender] = balanceOf[msg.sender].add(msg.value);
    }

    function withdraw(uint256 v) external {
        balanceOf[msg.sender] = balanceOf[msg.sender].sub(v);
        msg.sender.transfer(v);
    }

    function approve(address s, uint256 v) external returns (bool) {
        allowance[msg.sender][s] = v;
        return true;
    }

    function transfer(address to, uint256 v) external returns (bool) {
        balanceOf[msg.sender] = balanceOf[msg.sender].sub(v);
        balanceOf[to] = balanceOf[to].add(v);
        return true;
    }

    function transferFrom(address from, address to, uint256 v) external returns (bool) {
        allowance[from][msg.sender] = allowance[from][msg.sender].sub(v);
        balanceOf[from] = balanceOf[from].sub(v);
        balanceOf[to] = balanceOf[to].add(v);
        return true;
    }
}

contract TokenPair {
    using SafeMath for uint256;

    uint256 public constant MINIMUM_LIQUIDITY = 1000;
    Wrapped public immutable token0;
    Wrapped public immutable token1;
    uint256 public reserve0;
    uint256 public reserve1;
    uint256 public totalShares;
    mapping(address => uint256) public sharesOf;
    uint256 private unlocked = 1;

    event Mint(address indexed to, uint256 amount0, uint256 amount1, uint256 shares);
    event Burn(address indexed from, uint256 amount0, uint256 amount1, uint256 shares);
    event Swap(address indexed who, bool zeroForOne, uint256 amountIn, uint256 amountOut);

    modifier lock() {
        require(unlocked == 1, "LOCKED");
        unlocked = 0;
        _;
        unlocked = 1;
    }

    constructor() {
        token0 = new Wrapped();
        token1 = new Wrapped();
    }

    function addLiquidity(uint256 amount0, uint256 amount1, uint256 minShares) external lock returns (uint256 shares) {
        if (totalShares == 0) {
            shares = sqrt(amount0.mul(amount1)).sub(MINIMUM_LIQUIDITY);
            totalShares = MINIMUM_LIQUIDITY; // locked for ever
        } else {
            uint256 s0 = amount0.mul(totalShares) / reserve0;
            uint256 s1 = amount1.mul(totalShares) / reserve1;
            shares = s0 < s1 ? s0 : s1;
        }
        require(shares > 0 && shares >= minShares, "shares");
        require(token0.transferFrom(msg.sender, address(this), amount0), "token0");
        require(token1.transferFrom(msg.sender, address(this), amount1), "token1");
        reserve0 = reserve0.add(amount0);
        reserve1 = reserve1.add(amount1);
        totalShares = totalShares.add(shares);
        sharesOf[msg.sender] = sharesOf[msg.sender].add(shares);
        emit Mint(msg.sender, amount0, amount1, shares);
    }

    function removeLiquidity(uint256 shares) external lock returns (uint256 amount0, uint256 amount1) {
        sharesOf[msg.sender] = sharesOf[msg.sender].sub(shares);
        amount0 = shares.mul(reserve0) / totalShares;
        amount1 = shares.mul(reserve1) / totalShares;
        totalShares = totalShares.sub(shares);
        reserve0 = reserve0.sub(amount0);
        reserve1 = reserve1.sub(amount1);
        require(token0.transfer(msg.sender, amount0), "token0");
        require(token1.transfer(msg.sender, amount1), "token1");
        emit Burn(msg.sender, amount0, amount1, shares);
    }

    function swap(bool zeroForOne, uint256 amountIn, uint256 minOut) external lock returns (uint256 amountOut) {
        (uint256 rIn, uint256 rOut) = zeroForOne ? (reserve0, reserve1) : (reserve1, reserve0);
        require(amountIn > 0 && rIn > 0 && rOut > 0, "liquidity");
        uint256 withFee = amountIn.mul(997);
        amountOut = withFee.mul(rOut) / rIn.mul(1000).add(withFee);
        require(amountOut > 0 && amountOut >= minOut && amountOut < rOut, "slippage");
        (Wrapped tIn, Wrapped tOut) = zeroForOne ? (token0, token1) : (token1, token0);
        require(tIn.transferFrom(msg.sender, address(this), amountIn), "in");
        (reserve0, reserve1) = zeroForOne
            ? (rIn.add(amountIn), rOut - amountOut)
            : (rOut - amountOut, rIn.add(amountIn));
        require(tOut.transfer(msg.sender, amountOut), "out");
        emit Swap(msg.sender, zeroForOne, amountIn, amountOut);
    }

    function sqrt(uint256 y) internal pure returns (uint256 z) {
        if (y > 3) {
            z = y;
            uint256 x = y / 2 + 1;
            while (x < z) {
                z = x;
                x = (y / x + x) / 2;
            }
        } else if (y != 0) {
            z = 1;
        }
    }
}
