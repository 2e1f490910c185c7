// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @notice The price falls every second until somebody buys the last piece.
contract FallingPrice {
    address payable public immutable seller;
    uint256 public immutable startPrice;
    uint256 public immutable floorPrice;
    uint256 public immutable startsAt;
    uint256 public constant LENGTH = 2 days;

    uint256 public left;
    uint256 public takings;
    mapping(address => uint256) public piecesOf;

    event Bought(address indexed buyer, uint256 pieces, uint256 price);
    event Given(address indexed from, address indexed to, uint256 pieces);
    event Withdrawn(uint256 amount);

    error TooLittle(uint256 sent, uint256 cost);
    error SoldOut();

    constructor(uint32 floorInGwei, uint32 dropInGwei, uint8 pieces) {
        seller = payable(msg.sender);
        floorPrice = uint256(floorInGwei) * 1 gwei + 1;
        startPrice = floorPrice + uint256(dropInGwei) * 1 gwei;
        startsAt = block.timestamp;
        left = uint256(pieces) + 1;
    }

    function price() public view returns (uint256) {
        uint256 elapsed = block.timestamp - startsAt;
        if (elapsed >= LENGTH) return floorPrice;
        return startPrice - ((startPrice - floorPrice) * elapsed) / LENGTH;
    }

    function buy(uint256 pieces) external payable {
        if (pieces == 0 || pieces > left) revert SoldOut();
        uint256 cost = price() * pieces;
        if (msg.value < cost) revert TooLittle(msg.value, cost);
        unchecked {
            left -= pieces;
        }
        takings += cost;
        piecesOf[msg.sender] += pieces;
        emit Bought(msg.sender, pieces, cost / pieces);
        uint256 excess = msg.value - cost;
        if (excess > 0) {
            (bool ok, ) = msg.sender.call{value: excess}("");
            require(ok, "change was not taken");
        }
    }

    function give(address to, uint256 pieces) external {
        require(to != address(0) && pieces <= piecesOf[msg.sender], "pieces");
        piecesOf[msg.sender] -= pieces;
        piecesOf[to] += pieces;
        emit Given(msg.sender, to, pieces);
    }

    function withdraw() external {
        require(msg.sender == seller, "seller only");
        uint256 amount = takings;
        takings = 0;
        emit Withdrawn(amount);
        seller.transfer(amount);
    }
}
