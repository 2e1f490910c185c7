// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Loan pool with two tranches
/// @notice Juniors earn most of the interest and bear the first losses; seniors are
///         touched only when nothing is left of the junior tranche.
contract TranchePool {
    struct Tranche {
        uint256 value;
        uint256 shares;
        mapping(address => uint256) sharesOf;
    }

    struct Loan {
        address borrower;
        uint128 principal;
        uint64 dueAt;
        bool open;
    }

    uint256 public constant JUNIOR_CUT = 70;

    address public immutable manager;
    Tranche private senior;
    Tranche private junior;
    uint256 public cash;
    uint256 public lent;
    mapping(uint256 => Loan) public loans;
    uint256 public loanCount;

    event Deposited(address indexed who, bool toJunior, uint256 amount);
    event Lent(uint256 indexed id, address indexed borrower, uint256 amount);
    event Repaid(uint256 indexed id, uint256 interest);
    event WrittenOff(uint256 indexed id, uint256 loss);

    constructor() {
        manager = msg.sender;
    }

    function deposit(bool toJunior) external payable {
        require(msg.value >= 1000, "too small");
        Tranche storage t = toJunior ? junior : senior;
        require(t.value > 0 || t.shares == 0, "wiped out");
        uint256 shares = t.shares == 0 ? msg.value : msg.value * t.shares / t.value;
        require(shares > 0, "too small");
        t.shares += shares;
        t.sharesOf[msg.sender] += shares;
        t.value += msg.value;
        cash += msg.value;
        emit Deposited(msg.sender, toJunior, msg.value);
    }

    function withdraw(bool fromJunior, uint256 shares) external {
        Tranche storage t = fromJunior ? junior : senior;
        require(shares > 0 && shares <= t.sharesOf[msg.sender], "shares");
        uint256 amount = shares * t.value / t.shares;
        t.sharesOf[msg.sender] -= shares;
        t.shares -= shares;
        t.value -= amount;
        cash -= amount;
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok, "not accepted");
    }

    function lend(address payable borrower, uint128 amount, uint32 term) external returns (uint256 id) {
        require(msg.sender == manager, "not the manager");
        require(amount > 0 && amount <= cash, "not enough cash");
        id = ++loanCount;
        loans[id] = Loan(borrower, amount, uint64(block.timestamp) + term, true);
        cash -= amount;
        lent += amount;
        emit Lent(id, borrower, amount);
        (bool ok,) = borrower.call{value: amount}("");
        require(ok, "not accepted");
    }

    function repay(uint256 id) external payable {
        Loan storage loan = loans[id];
        require(loan.open, "not open");
        require(msg.value >= loan.principal, "too little");
        uint256 interest = msg.value - loan.principal;
        loan.open = false;
        lent -= loan.principal;
        cash += msg.value;
        uint256 cut = interest * JUNIOR_CUT / 100;
        if (junior.shares == 0) cut = 0;
        else if (senior.shares == 0) cut = interest;
        junior.value += cut;
        senior.value += interest - cut;
        emit Repaid(id, interest);
    }

    /// @notice Anybody may have a loan written off that is long overdue.
    function writeOff(uint256 id) external {
        Loan storage loan = loans[id];
        require(loan.open, "not open");
        require(block.timestamp > uint256(loan.dueAt) + 7 days, "not overdue");
        uint256 loss = loan.principal;
        loan.open = false;
        lent -= loss;
        if (loss <= junior.value) {
            junior.value -= loss;
        } else {
            junior.value = 0;
            senior.value -= loss - junior.value;
        }
        emit WrittenOff(id, loss);
        audit();
    }

    function audit() public view returns (uint256 assets) {
        assets = cash + lent;
        assert(senior.value + junior.value == assets); //~ ERROR assertion
    }

    function valueOf(address who) external view returns (uint256 inSenior, uint256 inJunior) {
        if (senior.shares > 0) inSenior = senior.sharesOf[who] * senior.value / senior.shares;
        if (junior.shares > 0) inJunior = junior.sharesOf[who] * junior.value / junior.shares;
    }
}
