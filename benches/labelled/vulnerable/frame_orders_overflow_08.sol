// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Orders for hive frames
/// @notice Beekeepers collect points with their membership fee, and spend them
/// on wooden frames.
contract FrameOrders {
    struct Order {
        address keeper;
        uint64 frames;
        uint32 cost;
    }

    uint64 public constant POINTS_PER_FRAME = 64;

    address payable public immutable carpenter;
    mapping(address => uint256) public points;
    mapping(address => uint256) public framesOf;
    Order[] private orders;

    event Subscribed(address indexed keeper, uint256 points);
    event Ordered(address indexed keeper, uint256 indexed id, uint64 frames, uint32 cost);

    constructor() {
        carpenter = payable(msg.sender);
    }

    function subscribe() external payable {
        uint256 earned = msg.value / 1 gwei;
        require(earned > 0, "less than a point");
        points[msg.sender] += earned;
        emit Subscribed(msg.sender, earned);
    }

    function order(uint64 frames) external returns (uint256 id) {
        require(frames > 0, "no frames");
        require(frames <= type(uint64).max / POINTS_PER_FRAME, "too many frames");
        Order memory placed;
        placed.keeper = msg.sender;
        placed.frames = frames;
        placed.cost = uint32(frames * POINTS_PER_FRAME); //~ ERROR overflow
        require(points[msg.sender] >= placed.cost, "not enough points");
        points[msg.sender] -= placed.cost;
        framesOf[msg.sender] += frames;
        id = orders.length;
        orders.push(placed);
        emit Ordered(msg.sender, id, frames, placed.cost);
    }

    function orderAt(uint256 id) external view returns (Order memory) {
        require(id < orders.length, "no such order");
        return orders[id];
    }

    function collectFees() external {
        require(msg.sender == carpenter, "only the carpenter");
        carpenter.transfer(address(this).balance);
    }
}
