// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Customers of a bakery collect points and exchange them for pastry.
contract BakeryPoints {
    enum Pastry {
        Roll,
        Croissant,
        Cake
    }

    uint256 public constant POINT_PRICE = 0.001 ether;
    uint256 public constant MAX_PIECES = 12;

    address payable public immutable baker;
    uint256 public handedOut;

    mapping(address => uint256) public points;
    mapping(address => mapping(Pastry => uint256)) public vouchers;

    event Purchase(address indexed customer, uint256 spent, uint256 points);
    event Redeemed(address indexed customer, Pastry pastry, uint256 pieces);
    event Collected(address indexed customer, Pastry pastry);

    constructor() {
        baker = payable(msg.sender);
    }

    function costOf(Pastry pastry) public pure returns (uint256) {
        if (pastry == Pastry.Roll) return 2;
        if (pastry == Pastry.Croissant) return 5;
        return 40;
    }

    function purchase() external payable {
        require(msg.value >= POINT_PRICE, "too little for a point");
        uint256 earned = msg.value / POINT_PRICE;
        points[msg.sender] += earned;
        emit Purchase(msg.sender, msg.value, earned);
    }

    function redeem(Pastry pastry, uint256 pieces) external {
        require(pieces > 0 && pieces <= MAX_PIECES, "1 to 12 pieces");
        uint256 cost = costOf(pastry);
        require(points[msg.sender] >= cost, "not enough points");
        unchecked {
            points[msg.sender] -= cost * pieces; //~ ERROR overflow
        }
        vouchers[msg.sender][pastry] += pieces;
        emit Redeemed(msg.sender, pastry, pieces);
    }

    function present(address friend, uint256 amount) external {
        require(friend != address(0), "no friend");
        points[msg.sender] -= amount;
        points[friend] += amount;
    }

    function collect(Pastry pastry) external {
        require(vouchers[msg.sender][pastry] > 0, "no voucher");
        vouchers[msg.sender][pastry] -= 1;
        handedOut += 1;
        emit Collected(msg.sender, pastry);
    }

    function takings() external {
        require(msg.sender == baker, "not the baker");
        baker.transfer(address(this).balance);
    }
}
