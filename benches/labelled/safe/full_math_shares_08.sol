// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

library FullMath {
    /// @notice Calculates floor(a*b/denominator) with full precision. Reverts if the result does not fit.
    function mulDiv(uint256 a, uint256 b, uint256 denominator) internal pure returns (uint256 result) {
        unchecked {
            // 512-bit multiply [prod1 prod0] = a * b
            // Compute the product mod 2**256 and mod 2**256 - 1
            uint256 prod0;
            uint256 prod1;
            assembly {
                let mm := mulmod(a, b, not(0))
                prod0 := mul(a, b)
                prod1 := sub(sub(mm, prod0), lt(mm, prod0))
            }

            if (prod1 == 0) {
                require(denominator > 0, "denominator");
                return prod0 / denominator;
            }
            require(denominator > prod1, "result does not fit");

            // Subtract 256 bit number from 512 bit number
            uint256 remainder;
            assembly {
                remainder := mulmod(a, b, denominator)
                prod1 := sub(prod1, gt(remainder, prod0))
                prod0 := sub(prod0, remainder)
            }

            // Factor powers of two out of denominator
            uint256 twos = (0 - denominator) & denominator;
            assembly {
                denominator := div(denominator, twos)
                prod0 := div(prod0, twos)
                twos := add(div(sub(0, twos), twos), 1)
            }
            prod0 |= prod1 * twos;

            // Invert denominator mod 2**256
            uint256 inv = (3 * denominator) ^ 2;
            inv *= 2 - denominator * inv;
            inv *= 2 - denominator * inv;
            inv *= 2 - denominator * inv;
            inv *= 2 - denominator * inv;
            inv *= 2 - denominator * inv;
            inv *= 2 - denominator * inv;

            // Because the division is now exact, multiply by the modular inverse, mod 2**256
            result = prod0 * inv;
        }
    }
}

/// @notice Shares of ether that grows by gifts.
contract PreciseShares {
    using FullMath for uint256;

    uint256 private constant OFFSET = 1e6;

    string public name;
    uint256 public totalShares;
    uint256 public assets;
    mapping(address => uint256) public sharesOf;

    event Bought(address indexed who, uint256 amount, uint256 shares);
    event Redeemed(address indexed who, uint256 amount, uint256 shares);
    event Gift(address indexed from, uint256 amount);

    constructor(string memory name_) {
        name = name_;
    }

    receive() external payable {
        assets += msg.value;
        emit Gift(msg.sender, msg.value);
    }

    function buy() external payable returns (uint256 shares) {
        shares = toShares(msg.value);
        require(shares > 0, "too little");
        assets += msg.value;
        totalShares += shares;
        sharesOf[msg.sender] += shares;
        emit Bought(msg.sender, msg.value, shares);
    }

    function redeem(uint256 shares) external returns (uint256 amount) {
        require(shares > 0 && shares <= sharesOf[msg.sender], "shares");
        amount = toAssets(shares);
        sharesOf[msg.sender] -= shares;
        totalShares -= shares;
        assets -= amount;
        emit Redeemed(msg.sender, amount, shares);
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "payment failed");
    }

    function toShares(uint256 amount) public view returns (uint256) {
        return amount.mulDiv(totalShares + OFFSET, assets + 1);
    }

    function toAssets(uint256 shares) public view returns (uint256) {
        return shares.mulDiv(assets + 1, totalShares + OFFSET);
    }
}
