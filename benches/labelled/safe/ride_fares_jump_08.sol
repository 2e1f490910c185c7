// Sound: function pointers are kept in storage and picked out of a table, but only by an enum or by an index that the compiler checks, and no assembly writes to them.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Fares of a fairground whose rides charge in different ways
contract RideFares {
    enum Scheme {
        Fixed,
        ByMinute,
        ByWeight,
        EveningHalf
    }

    struct Ride {
        address showman;
        uint64 rate;
        function(uint256, uint256) internal view returns (uint256) fare;
        bool open;
    }

    mapping(uint256 => Ride) private rides;
    uint256 public rideCount;
    mapping(address => uint256) public credit;
    mapping(address => uint256) public ridden;

    event Opened(uint256 indexed id, address indexed showman, Scheme scheme, uint256 rate);
    event Ridden(uint256 indexed id, address indexed guest, uint256 fare);

    modifier onlyShowman(uint256 id) {
        require(rides[id].showman == msg.sender, "not your ride");
        _;
    }

    function open(Scheme scheme, uint64 rate) external returns (uint256 id) {
        require(rate > 0 && rate <= 1 ether, "rate");
        id = ++rideCount;
        rides[id] = Ride(msg.sender, rate, _schemes()[uint256(scheme)], true);
        emit Opened(id, msg.sender, scheme, rate);
    }

    function reprice(uint256 id, uint64 rate) external onlyShowman(id) {
        require(rate > 0 && rate <= 1 ether, "rate");
        Ride storage r = rides[id];
        assembly {
            // the rate fills the upper part of the word with the showman below it
            let word := sload(r.slot)
            let kept := and(word, not(shl(160, 0xffffffffffffffff)))
            sstore(r.slot, or(kept, shl(160, and(rate, 0xffffffffffffffff))))
        }
    }

    function change(uint256 id, Scheme scheme) external onlyShowman(id) {
        rides[id].fare = _schemes()[uint256(scheme)];
    }

    function close(uint256 id) external onlyShowman(id) {
        rides[id].open = false;
    }

    /// @param amount minutes or kilograms, as the scheme of the ride wants it
    /// @param limit the most that the guest is willing to pay, sent along
    function ride(uint256 id, uint256 amount, uint256 limit) external payable {
        Ride storage r = rides[id];
        require(r.open, "closed");
        require(amount > 0 && amount <= 1000, "amount");
        require(msg.value == limit, "send the limit along");
        uint256 fare = r.fare(r.rate, amount);
        require(fare <= limit, "dearer than the limit");
        credit[r.showman] += fare;
        credit[msg.sender] += limit - fare;
        ridden[msg.sender] += 1;
        emit Ridden(id, msg.sender, fare);
    }

    function withdraw() external {
        uint256 amount = credit[msg.sender];
        credit[msg.sender] = 0;
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok, "not accepted");
    }

    function quote(uint256 id, uint256 amount) external view returns (uint256) {
        Ride storage r = rides[id];
        require(r.showman != address(0), "no such ride");
        return r.fare(r.rate, amount);
    }

    function _schemes()
        private
        pure
        returns (function(uint256, uint256) internal view returns (uint256)[4] memory table)
    {
        table[0] = _fixed;
        table[1] = _byMinute;
        table[2] = _byWeight;
        table[3] = _eveningHalf;
    }

    function _fixed(uint256 rate, uint256) private view returns (uint256) {
        return rate;
    }

    function _byMinute(uint256 rate, uint256 amount) private view returns (uint256) {
        return rate * amount;
    }

    function _byWeight(uint256 rate, uint256 amount) private view returns (uint256) {
        return amount <= 40 ? rate : rate * amount / 40;
    }

    function _eveningHalf(uint256 rate, uint256 amount) private view returns (uint256) {
        uint256 hour = block.timestamp / 1 hours % 24;
        return hour >= 18 ? rate * amount / 2 : rate * amount;
    }
}
