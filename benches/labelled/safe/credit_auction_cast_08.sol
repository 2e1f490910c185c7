// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @notice Credits that members bid with. 1 gwei buys one credit.
abstract contract CreditBook {
    struct Account {
        uint96 free;
        uint96 bound;
        uint64 since;
    }

    uint256 public constant CREDIT = 1 gwei;

    mapping(address => Account) public accounts;

    event ToppedUp(address indexed member, uint256 credits);
    event CashedOut(address indexed member, uint256 credits);

    error TooMany();

    function topUp() external payable {
        uint256 credits = msg.value / CREDIT;
        require(credits > 0 && credits * CREDIT == msg.value, "whole credits");
        if (credits > type(uint64).max) revert TooMany();
        Account storage account = accounts[msg.sender];
        if (account.since == 0) account.since = uint64(block.timestamp);
        account.free += uint96(credits);
        emit ToppedUp(msg.sender, credits);
    }

    function cashOut(uint96 credits) external {
        accounts[msg.sender].free -= credits;
        emit CashedOut(msg.sender, credits);
        payable(msg.sender).transfer(uint256(credits) * CREDIT);
    }

    function _bind(address member, uint256 credits) internal {
        Account storage account = accounts[member];
        if (credits > type(uint96).max) revert TooMany();
        uint96 part = uint96(credits);
        account.free -= part;
        account.bound += part;
    }

    function _unbind(address member) internal returns (uint96 credits) {
        Account storage account = accounts[member];
        credits = account.bound;
        account.bound = 0;
        account.free += credits;
    }

    function _spend(address member) internal returns (uint96 credits) {
        Account storage account = accounts[member];
        credits = account.bound;
        account.bound = 0;
    }
}

/// @title House of auctions: one lot at a time
contract LotHouse is CreditBook {
    address public immutable house;
    uint256 public lot;
    uint256 public endsAt;
    uint256 public highest;
    address public leader;
    uint256 public earned;
    mapping(uint256 => address) public winnerOf;

    event LotOpened(uint256 indexed lot, uint256 endsAt);
    event Bid(uint256 indexed lot, address indexed member, uint256 credits);
    event LotClosed(uint256 indexed lot, address indexed winner, uint256 credits);

    constructor() {
        house = msg.sender;
        _open();
    }

    function bid(uint256 credits) external {
        require(block.timestamp < endsAt, "over");
        require(credits > highest, "not higher");
        if (leader != address(0)) _unbind(leader);
        _bind(msg.sender, credits);
        leader = msg.sender;
        highest = credits;
        emit Bid(lot, msg.sender, credits);
    }

    function closeLot() external {
        require(block.timestamp >= endsAt, "running");
        if (leader != address(0)) {
            uint256 price = _spend(leader);
            earned += price;
            winnerOf[lot] = leader;
            emit LotClosed(lot, leader, price);
        }
        _open();
    }

    function takeEarnings() external {
        require(msg.sender == house, "house only");
        uint256 credits = earned;
        earned = 0;
        payable(house).transfer(credits * CREDIT);
    }

    function _open() private {
        lot++;
        leader = address(0);
        highest = 0;
        endsAt = block.timestamp + 1 days;
        emit LotOpened(lot, endsAt);
    }
}
