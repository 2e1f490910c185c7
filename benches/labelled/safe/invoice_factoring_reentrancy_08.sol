// Sound: the supplier is called only after the invoice is marked as financed; what is written after the call is a sum that comes out the same in any order, and everybody else fetches their money themselves.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Invoices that are sold before they are due
contract InvoiceFactoring {
    enum State {
        None,
        Posted,
        Accepted,
        Financed,
        Repaid,
        Withdrawn
    }

    struct Invoice {
        address supplier;
        address debtor;
        address financier;
        uint128 face;
        uint128 ask;
        uint64 dueAt;
        State state;
    }

    mapping(uint256 => Invoice) public invoices;
    mapping(address => uint256) public credit;
    uint256 public invoiceCount;
    uint256 public financedVolume;

    event Posted(uint256 indexed id, address indexed supplier, address indexed debtor, uint256 face, uint256 ask);
    event Accepted(uint256 indexed id);
    event Financed(uint256 indexed id, address indexed financier, uint256 ask);
    event Repaid(uint256 indexed id, uint256 amount);

    function post(address debtor, uint128 face, uint128 ask, uint64 dueAt) external returns (uint256 id) {
        require(debtor != address(0) && debtor != msg.sender, "debtor");
        require(ask > 0 && ask <= face, "ask");
        require(dueAt > block.timestamp, "due");
        id = ++invoiceCount;
        invoices[id] = Invoice(msg.sender, debtor, address(0), face, ask, dueAt, State.Posted);
        emit Posted(id, msg.sender, debtor, face, ask);
    }

    /// @notice The debtor confirms that the goods have arrived and that the sum is owed.
    function accept(uint256 id) external {
        Invoice storage v = invoices[id];
        require(v.state == State.Posted, "not posted");
        require(msg.sender == v.debtor, "not the debtor");
        v.state = State.Accepted;
        emit Accepted(id);
    }

    function withdrawOffer(uint256 id) external {
        Invoice storage v = invoices[id];
        require(v.state == State.Posted || v.state == State.Accepted, "not on offer");
        require(msg.sender == v.supplier, "not the supplier");
        v.state = State.Withdrawn;
    }

    /// @notice Buys an accepted invoice; the supplier is paid on the spot.
    function finance(uint256 id) external payable {
        Invoice storage v = invoices[id];
        require(v.state == State.Accepted, "not accepted");
        require(block.timestamp < v.dueAt, "due already");
        require(msg.value == v.ask, "the ask");
        v.state = State.Financed;
        v.financier = msg.sender;
        (bool ok,) = v.supplier.call{value: msg.value}("");
        require(ok, "the supplier does not accept");
        financedVolume += msg.value;
        emit Financed(id, msg.sender, msg.value);
    }

    function repay(uint256 id) external payable {
        Invoice storage v = invoices[id];
        require(v.state == State.Financed, "not financed");
        require(msg.value == amountDue(id), "the sum due");
        v.state = State.Repaid;
        credit[v.financier] += msg.value;
        emit Repaid(id, msg.value);
    }

    function withdraw() external {
        uint256 amount = credit[msg.sender];
        require(amount > 0, "nothing");
        credit[msg.sender] = 0;
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok, "not accepted");
    }

    /// @notice One percent is added for every full week the invoice is late, at most twenty.
    function amountDue(uint256 id) public view returns (uint256) {
        Invoice storage v = invoices[id];
        if (block.timestamp <= v.dueAt) return v.face;
        uint256 weeksLate = (block.timestamp - v.dueAt) / 1 weeks;
        if (weeksLate > 20) weeksLate = 20;
        return v.face + uint256(v.face) * weeksLate / 100;
    }
}
