pragma solidity 0.6.12;

/// Parents keep a budget for the music lessons of their children. Teachers write
/// invoices against it, and collect those that the parents have confirmed.
contract MusicLessons {
    enum State { None, Written, Confirmed, Collected, Cancelled }

    struct Invoice {
        address payable teacher;
        address parent;
        uint256 amount;
        string lesson;
        State state;
    }

    mapping(address => uint256) public budget;
    mapping(uint256 => Invoice) public invoices;
    uint256 public count;

    event ToppedUp(address indexed parent, uint256 amount);
    event TakenBack(address indexed parent, uint256 amount);
    event Written(uint256 indexed id, address indexed teacher, address indexed parent, uint256 amount);
    event Confirmed(uint256 indexed id);
    event Cancelled(uint256 indexed id);
    event Collected(uint256 indexed id);

    /// The invoice concerns the caller: as its teacher or as the parent who pays it.
    modifier onlyParty(uint256 id) {
        Invoice storage invoice = invoices[id];
        require(msg.sender == invoice.teacher || msg.sender == invoice.parent, "not your invoice");
        _;
    }

    function topUp() external payable {
        require(msg.value > 0, "nothing to add");
        budget[msg.sender] += msg.value;
        emit ToppedUp(msg.sender, msg.value);
    }

    function takeBack(uint256 amount) external {
        require(amount > 0 && budget[msg.sender] >= amount, "not that much left");
        budget[msg.sender] -= amount;
        emit TakenBack(msg.sender, amount);
        msg.sender.transfer(amount);
    }

    function write(address parent, uint256 amount, string calldata lesson) external returns (uint256 id) {
        require(parent != msg.sender, "no lessons for oneself");
        require(amount > 0, "lessons cost something");
        id = ++count;
        invoices[id] = Invoice(msg.sender, parent, amount, lesson, State.Written);
        emit Written(id, msg.sender, parent, amount);
    }

    function confirm(uint256 id) external onlyParty(id) {
        require(invoices[id].state == State.Written, "not open");
        invoices[id].state = State.Confirmed;
        emit Confirmed(id);
    }

    function cancel(uint256 id) external onlyParty(id) {
        Invoice storage invoice = invoices[id];
        require(invoice.state == State.Written || invoice.state == State.Confirmed, "not open");
        invoice.state = State.Cancelled;
        emit Cancelled(id);
    }

    function collect(uint256 id) external {
        Invoice storage invoice = invoices[id];
        require(msg.sender == invoice.teacher, "not your invoice");
        require(invoice.state == State.Confirmed, "not confirmed");
        require(budget[invoice.parent] >= invoice.amount, "budget too small");
        invoice.state = State.Collected;
        budget[invoice.parent] -= invoice.amount;
        emit Collected(id);
        invoice.teacher.transfer(invoice.amount); //~ ERROR ether-theft
    }
}
