// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;
// Exploit: open() a deal with ether and confirm it: the deal only changes its state, nothing is ever paid to the seller or back.
contract DealBook { //~ ERROR frozen-ether
    enum Status { None, Open, Confirmed, Cancelled }

    struct Deal {
        address buyer;
        address seller;
        uint256 amount;
        Status status;
    }

    Deal[] public deals;

    event Opened(uint256 indexed id, address buyer, address seller, uint256 amount);
    event Confirmed(uint256 indexed id);
    event Cancelled(uint256 indexed id);

    function open(address seller) external payable returns (uint256 id) {
        require(msg.value > 0, "empty");
        id = deals.length;
        deals.push(Deal(msg.sender, seller, msg.value, Status.Open));
        emit Opened(id, msg.sender, seller, msg.value);
    }

    function confirm(uint256 id) external {
        Deal storage d = deals[id];
        require(d.buyer == msg.sender && d.status == Status.Open, "not yours");
        d.status = Status.Confirmed;
        emit Confirmed(id);
    }

    function cancel(uint256 id) external {
        Deal storage d = deals[id];
        require(d.seller == msg.sender && d.status == Status.Open, "not yours");
        d.status = Status.Cancelled;
        emit Cancelled(id);
    }
}
