// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;
// Exploit: setRate(10001): the caller's own input is tested by assert in place of require.
contract RateBoard {
    uint256 public constant BPS = 10000;

    struct Quote {
        uint256 rate;
        uint256 updates;
    }

    mapping(address => Quote) public quotes;
    address[] public makers;

    event RateSet(address indexed maker, uint256 rate);

    function setRate(uint256 rate) external {
        Quote storage q = quotes[msg.sender];
        if (q.updates == 0) makers.push(msg.sender);
        q.rate = rate;
        q.updates += 1;
        assert(q.rate <= BPS); //~ ERROR assertion
        emit RateSet(msg.sender, rate);
    }

    function netOf(address maker, uint256 amount) external view returns (uint256) {
        require(amount < 2**128, "amount");
        return amount - (amount * quotes[maker].rate) / BPS;
    }
}
