// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

/// Shares in a wood. What the forester earns with the timber raises the value of each share.
contract TimberPool {
    string public constant name = "Timber Pool";
    uint256 public constant MIN_JOIN = 1000;

    address public forester;
    uint256 public totalShares;
    uint256 public timberMoney;
    bool public closedToNew;
    mapping(address => uint256) public shares;

    event Joined(address indexed who, uint256 paid, uint256 shares);
    event Left(address indexed who, uint256 shares, uint256 paid);
    event TimberSold(uint256 value);

    modifier onlyForester() {
        require(msg.sender == forester, "forester only");
        _;
    }

    constructor() {
        forester = msg.sender;
    }

    function setClosedToNew(bool yes) external onlyForester {
        closedToNew = yes;
    }

    function appoint(address next) external onlyForester {
        require(next != address(0), "nobody");
        forester = next;
    }

    function sellTimber() external payable onlyForester {
        require(totalShares > 0, "nobody owns the wood");
        timberMoney += msg.value;
        emit TimberSold(msg.value);
    }

    function join() external payable returns (uint256 minted) {
        require(!closedToNew, "closed to new members");
        require(msg.value >= MIN_JOIN, "too little");
        if (totalShares == 0) {
            minted = msg.value;
        } else {
            uint256 pool = address(this).balance - msg.value;
            require(pool > 0, "the pool is empty");
            minted = (msg.value * totalShares) / pool;
        }
        require(minted > 0, "less than a share");
        shares[msg.sender] += minted;
        totalShares += minted;
        emit Joined(msg.sender, msg.value, minted);
    }

    function leave(uint256 amount) public {
        require(amount > 0, "no shares");
        require(shares[msg.sender] >= amount, "more than you have");
        shares[msg.sender] -= amount;
        uint256 payout = worth(amount);
        (bool ok, ) = msg.sender.call{value: payout}(""); //~ ERROR reentrancy
        require(ok, "not accepted");
        totalShares -= amount;
        emit Left(msg.sender, amount, payout);
    }

    function leaveAll() external {
        leave(shares[msg.sender]);
    }

    function give(address to, uint256 amount) external {
        require(to != address(0) && to != msg.sender, "to nobody else");
        require(shares[msg.sender] >= amount, "more than you have");
        shares[msg.sender] -= amount;
        shares[to] += amount;
    }

    function worth(uint256 amount) public view returns (uint256) {
        return totalShares == 0 ? 0 : (address(this).balance * amount) / totalShares;
    }
}
