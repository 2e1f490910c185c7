// SPDX-License-Identifier: MIT
pragma solidity ^0.6.0;

/// Coupons of a bus line: each is worth what was paid for it, and can be turned in for that.
contract BusCoupons {
    uint256 public constant MAX_AT_ONCE = 20;

    struct Coupon {
        address owner;
        uint256 face;
        bool turnedIn;
    }

    address public conductor;
    bool public selling = true;
    uint256 public outstanding;
    Coupon[] public coupons;

    event Bought(uint256 indexed id, address indexed owner, uint256 face);
    event Gave(uint256 indexed id, address indexed to);
    event TurnedIn(address indexed owner, uint256 number, uint256 value);

    constructor() public {
        conductor = msg.sender;
    }

    function setSelling(bool yes) external {
        require(msg.sender == conductor, "conductor only");
        selling = yes;
    }

    function buy() external payable returns (uint256 id) {
        require(selling, "the counter is closed");
        require(msg.value > 0, "nothing paid");
        id = coupons.length;
        coupons.push(Coupon(msg.sender, msg.value, false));
        outstanding += 1;
        emit Bought(id, msg.sender, msg.value);
    }

    function give(uint256 id, address to) external {
        require(to != address(0), "to nobody");
        require(id < coupons.length && coupons[id].owner == msg.sender, "not your coupon");
        require(!coupons[id].turnedIn, "turned in");
        coupons[id].owner = to;
        emit Gave(id, to);
    }

    function turnIn(uint256[] calldata ids) external {
        require(ids.length > 0 && ids.length <= MAX_AT_ONCE, "one to twenty coupons");
        uint256 value = 0;
        for (uint256 i = 0; i < ids.length; i++) {
            require(ids[i] < coupons.length, "no such coupon");
            Coupon storage coupon = coupons[ids[i]];
            require(coupon.owner == msg.sender, "not your coupon");
            require(!coupon.turnedIn, "turned in before");
            coupon.turnedIn = true;
            outstanding -= 1;
            value += coupon.face;
        }
        emit TurnedIn(msg.sender, ids.length, value);
        msg.sender.transfer(value);
    }

    function count() external view returns (uint256) {
        return coupons.length;
    }
}
