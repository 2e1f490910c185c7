// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
// Exploit: buy tracks of an artist whose account rejects ether, then payArtist(artist): success is read but never checked and the royalty is zeroed.
contract RoyaltySplitter {
    uint256 public constant FEE_BPS = 500;

    address payable public immutable label;
    uint256 public labelDue;
    mapping(address => uint256) public royalty;
    mapping(address => uint256) public plays;

    event RoyaltyPaid(address indexed artist, uint256 amount, bool success);

    constructor() {
        label = payable(msg.sender);
    }

    function buyTrack(address artist) external payable {
        require(msg.value >= 1000, "too little");
        require(artist != address(0), "artist");
        uint256 fee = (msg.value * FEE_BPS) / 10000;
        labelDue += fee;
        royalty[artist] += msg.value - fee;
        plays[artist] += 1;
    }

    function payArtist(address artist) external {
        uint256 amount = royalty[artist];
        require(amount > 0, "no royalty");
        royalty[artist] = 0;
        (bool success, ) = payable(artist).call{value: amount}(""); //~ ERROR unchecked-call
        emit RoyaltyPaid(artist, amount, success);
    }

    function payLabel() external {
        uint256 amount = labelDue;
        labelDue = 0;
        (bool success, ) = label.call{value: amount}("");
        require(success, "label payment failed");
    }
}
