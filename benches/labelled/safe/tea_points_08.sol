// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Points of a tea house
/// @notice A card takes one slot. The narrow numbers are checked before they
/// are stored, and what is left unchecked cannot leave its range.
contract TeaPoints {
    struct Card {
        uint32 points;
        uint16 gifts;
        uint64 lastVisit;
    }

    uint256 public constant MAX_ITEMS = 12;

    address payable public immutable host;
    mapping(address => Card) private cards;
    mapping(uint256 => uint256) public sold;

    event Earned(address indexed guest, uint256 points);
    event Spent(address indexed guest, uint256 points);

    error TooManyPoints();
    error NotEnoughPoints(uint256 missing);
    error BadOrder();

    constructor() {
        host = payable(msg.sender);
    }

    function pay() external payable {
        uint256 earned = msg.value / 1 gwei;
        Card storage card = cards[msg.sender];
        uint256 sum = uint256(card.points) + earned;
        if (sum > type(uint32).max) revert TooManyPoints();
        card.points = uint32(sum);
        card.lastVisit = uint64(block.timestamp);
        emit Earned(msg.sender, earned);
    }

    function spend(uint8[] calldata prices) external {
        if (prices.length == 0 || prices.length > MAX_ITEMS) revert BadOrder();
        uint256 cost;
        for (uint256 i = 0; i < prices.length; ) {
            unchecked {
                cost += prices[i]; // at most twelve times 255
                ++i;
            }
        }
        Card storage card = cards[msg.sender];
        uint256 held = card.points;
        if (cost > held) {
            unchecked {
                revert NotEnoughPoints(cost - held);
            }
        }
        unchecked {
            card.points = uint32(held - cost);
        }
        if (card.gifts < type(uint16).max) {
            unchecked {
                card.gifts += 1;
            }
        }
        sold[prices.length] += 1;
        emit Spent(msg.sender, cost);
    }

    function cardOf(address guest) external view returns (Card memory) {
        return cards[guest];
    }

    function collect() external {
        require(msg.sender == host, "only the host");
        host.transfer(address(this).balance);
    }
}
