// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
// Exploit: hold most shares, pool.withdraw(half); in receive() the shares are burnt but reserve is stale, so desk.sell pays an inflated price.
contract SharePool {
    mapping(address => uint256) public sharesOf;
    mapping(address => mapping(address => uint256)) public allowance;
    uint256 public totalShares;
    uint256 public reserve;
    bool private locked;

    modifier nonReentrant() {
        require(!locked, "locked");
        locked = true;
        _;
        locked = false;
    }

    function deposit() external payable nonReentrant {
        uint256 minted = totalShares == 0 ? msg.value : (msg.value * totalShares) / reserve;
        require(minted > 0, "too small");
        sharesOf[msg.sender] += minted;
        totalShares += minted;
        reserve += msg.value;
    }

    function withdraw(uint256 shares) external nonReentrant {
        require(shares > 0, "zero");
        uint256 amount = (shares * reserve) / totalShares;
        sharesOf[msg.sender] -= shares;
        totalShares -= shares;
        (bool ok, ) = msg.sender.call{value: amount}(""); //~ ERROR reentrancy
        require(ok, "send failed");
        reserve -= amount;
    }

    function pricePerShare() external view returns (uint256) {
        if (totalShares == 0) return 1e18;
        return (reserve * 1e18) / totalShares;
    }

    function approve(address spender, uint256 amount) external {
        allowance[msg.sender][spender] = amount;
    }

    function transferFrom(address from, address to, uint256 amount) external {
        allowance[from][msg.sender] -= amount;
        sharesOf[from] -= amount;
        sharesOf[to] += amount;
    }
}

contract ShareDesk {
    SharePool public immutable pool;
    address public immutable keeper;

    constructor(SharePool _pool) payable {
        pool = _pool;
        keeper = msg.sender;
    }

    receive() external payable {}

    function sell(uint256 shares) external {
        uint256 pay = (shares * pool.pricePerShare()) / 1e18;
        pool.transferFrom(msg.sender, address(this), shares);
        payable(msg.sender).transfer(pay);
    }

    function redeem(uint256 shares) external {
        require(msg.sender == keeper, "keeper only");
        pool.withdraw(shares);
    }

    function collect(uint256 amount) external {
        require(msg.sender == keeper, "keeper only");
        payable(keeper).transfer(amount);
    }
}
