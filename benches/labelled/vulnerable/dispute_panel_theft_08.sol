// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Deals whose disputes a panel decides
contract DisputePanels {
    enum Status {
        None,
        Funded,
        Disputed,
        Closed
    }

    struct Deal {
        address buyer;
        address seller;
        uint256 amount;
        Status status;
    }

    struct Panel {
        uint256 dealId;
        uint256 quorum;
        uint256 cast;
        mapping(address => bool) isJuror;
        mapping(address => uint256) votesFor;
    }

    address public immutable clerk;
    mapping(uint256 => Deal) public deals;
    uint256 public dealCount;
    mapping(uint256 => Panel) private panels;
    uint256 public panelCount;

    event Funded(uint256 indexed dealId, address indexed buyer, address indexed seller, uint256 amount);
    event Disputed(uint256 indexed dealId);
    event Convened(uint256 indexed panelId, uint256 indexed dealId);
    event Paid(uint256 indexed dealId, address indexed to, uint256 amount);

    constructor() {
        clerk = msg.sender;
    }

    function fund(address seller) external payable returns (uint256 dealId) {
        require(seller != address(0) && seller != msg.sender, "seller");
        require(msg.value > 0, "nothing");
        dealId = ++dealCount;
        deals[dealId] = Deal(msg.sender, seller, msg.value, Status.Funded);
        emit Funded(dealId, msg.sender, seller, msg.value);
    }

    function release(uint256 dealId) external {
        Deal storage deal = deals[dealId];
        require(msg.sender == deal.buyer, "not the buyer");
        require(deal.status == Status.Funded, "not funded");
        deal.status = Status.Closed;
        uint256 amount = deal.amount;
        deal.amount = 0;
        _pay(dealId, deal.seller, amount);
    }

    function dispute(uint256 dealId) external {
        Deal storage deal = deals[dealId];
        require(msg.sender == deal.buyer || msg.sender == deal.seller, "not a party");
        require(deal.status == Status.Funded, "not funded");
        deal.status = Status.Disputed;
        emit Disputed(dealId);
    }

    function convene(uint256 dealId, address[] calldata jurors) external returns (uint256 panelId) {
        require(msg.sender == clerk, "not the clerk");
        require(deals[dealId].status == Status.Disputed, "no dispute");
        require(jurors.length >= 3, "too few jurors");
        panelId = ++panelCount;
        Panel storage panel = panels[panelId];
        panel.dealId = dealId;
        panel.quorum = jurors.length / 2 + 1;
        for (uint256 i = 0; i < jurors.length; i++) {
            require(!panel.isJuror[jurors[i]], "twice");
            panel.isJuror[jurors[i]] = true;
        }
        emit Convened(panelId, dealId);
    }

    function vote(uint256 panelId, bool forBuyer) external {
        Panel storage panel = panels[panelId];
        require(panel.isJuror[msg.sender], "not a juror");
        panel.isJuror[msg.sender] = false;
        Deal storage deal = deals[panel.dealId];
        panel.votesFor[forBuyer ? deal.buyer : deal.seller] += 1;
        panel.cast += 1;
    }

    /// @notice Whoever the panel has decided for takes what they are awarded, in parts or at once.
    function takeAward(uint256 dealId, uint256 panelId, uint256 amount) external {
        Deal storage deal = deals[dealId];
        Panel storage panel = panels[panelId];
        require(deal.status == Status.Disputed, "no dispute");
        require(panel.votesFor[msg.sender] >= panel.quorum, "not awarded");
        deal.amount -= amount;
        if (deal.amount == 0) deal.status = Status.Closed;
        _pay(dealId, msg.sender, amount);
    }

    function _pay(uint256 dealId, address to, uint256 amount) private {
        emit Paid(dealId, to, amount);
        (bool ok,) = to.call{value: amount}(""); //~ ERROR ether-theft
        require(ok, "not accepted");
    }
}
