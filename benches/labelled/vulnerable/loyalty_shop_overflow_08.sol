// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Keeps who owns which perk. The shop that creates it is the only one to issue perks.
contract PerkBook {
    address public immutable shop = msg.sender;
    mapping(address => mapping(uint256 => uint256)) public perksOf;

    event Issued(address indexed account, uint256 indexed perk, uint256 quantity);

    function issue(address account, uint256 perk, uint256 quantity) external {
        require(msg.sender == shop, "not the shop");
        perksOf[account][perk] += quantity;
        emit Issued(account, perk, quantity);
    }
}

/// Customers earn points with their purchases, lock them for a status, or redeem them.
contract LoyaltyShop {
    uint256 public constant PERKS = 4;
    uint256 public constant LOCK_TIME = 30 days;

    address payable public immutable merchant = payable(msg.sender);
    PerkBook public immutable book = new PerkBook();

    mapping(address => uint256) public earned;
    mapping(address => uint256) public spent;
    mapping(address => uint256) public locked;
    mapping(address => uint256) public unlockAt;
    uint256 public takings;

    event Purchase(address indexed customer, uint256 amount);
    event Locked(address indexed customer, uint256 points);
    event Redeemed(address indexed customer, uint256 perk, uint256 quantity);

    function purchase() external payable {
        require(msg.value > 0, "nothing bought");
        earned[msg.sender] += msg.value;
        takings += msg.value;
        emit Purchase(msg.sender, msg.value);
    }

    /// Locked points cannot be redeemed, but count for the status.
    function lock(uint256 points) external {
        require(points > 0, "no points");
        require(points <= earned[msg.sender] - spent[msg.sender], "not enough points");
        locked[msg.sender] += points;
        unlockAt[msg.sender] = block.timestamp + LOCK_TIME;
        emit Locked(msg.sender, points);
    }

    function unlock() external {
        require(block.timestamp >= unlockAt[msg.sender], "still locked");
        locked[msg.sender] = 0;
    }

    function status(address customer) external view returns (uint256) {
        uint256 points = locked[customer];
        if (points >= 10 ether) return 3;
        if (points >= 1 ether) return 2;
        return points > 0 ? 1 : 0;
    }

    function available(address customer) public view returns (uint256 points) {
        unchecked {
            points = earned[customer] - spent[customer] - locked[customer]; //~ ERROR overflow
        }
    }

    function priceOf(uint256 perk) public pure returns (uint256) {
        require(perk < PERKS, "no such perk");
        return 5 * (perk + 1);
    }

    function redeem(uint256 perk, uint256 quantity) external {
        require(quantity > 0 && quantity <= 100, "bad quantity");
        uint256 cost = priceOf(perk) * quantity;
        require(cost <= available(msg.sender), "not enough points");
        spent[msg.sender] += cost;
        book.issue(msg.sender, perk, quantity);
        emit Redeemed(msg.sender, perk, quantity);
    }

    function collect() external {
        require(msg.sender == merchant, "not the merchant");
        uint256 amount = takings;
        takings = 0;
        merchant.transfer(amount);
    }
}
