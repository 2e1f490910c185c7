// By design: a failed send() does not stop the others, what was not sent is owed and fetched later.
pragma solidity ^0.4.24;

contract Payroll {
    uint256 public constant MAX_STAFF = 40;
    uint256 public constant PERIOD = 28 days;

    address public employer;
    address[] public staff;
    mapping(address => uint256) public salary;
    mapping(address => uint256) public owed;
    uint256 public totalOwed;
    uint256 public lastRun;

    event Hired(address indexed who, uint256 salary);
    event Paid(address indexed who, uint256 amount);
    event Deferred(address indexed who, uint256 amount);

    modifier onlyEmployer() {
        require(msg.sender == employer, "employer only");
        _;
    }

    constructor() public {
        employer = msg.sender;
    }

    function () external payable {}

    function hire(address who, uint256 amount) public onlyEmployer {
        require(who != address(0) && salary[who] == 0, "known");
        require(amount > 0 && amount <= 1000 ether, "amount");
        require(staff.length < MAX_STAFF, "full");
        staff.push(who);
        salary[who] = amount;
        emit Hired(who, amount);
    }

    function payAll() public onlyEmployer {
        require(now >= lastRun + PERIOD, "too early");
        lastRun = now;

        uint256 due = 0;
        for (uint256 i = 0; i < staff.length; i++) {
            due += salary[staff[i]];
        }
        require(address(this).balance >= due + totalOwed, "fund me first");

        for (i = 0; i < staff.length; i++) {
            address who = staff[i];
            uint256 amount = salary[who];
            if (who.send(amount)) {
                emit Paid(who, amount);
            } else {
                owed[who] += amount;
                totalOwed += amount;
                emit Deferred(who, amount);
            }
        }
    }

    function claim() public {
        uint256 amount = owed[msg.sender];
        require(amount > 0, "nothing owed");
        owed[msg.sender] = 0;
        totalOwed -= amount;
        require(msg.sender.call.value(amount)(), "payment failed");
        emit Paid(msg.sender, amount);
    }

    function withdrawSurplus(uint256 amount) public onlyEmployer {
        require(address(this).balance >= totalOwed, "short");
        require(amount <= address(this).balance - totalOwed, "owed to staff");
        employer.transfer(amount);
    }
}
