// Sound: the balance is taken off before the call, and a call that fails adds it again with +=, so that a call back gains nothing.
pragma solidity 0.4.26;

/// Pupils of a sailing school pay ahead for their lessons. What is not used is paid back;
/// if somebody's account cannot take ether, it stays on the books for another try.
contract SailingSchool {
    address public school;
    uint256 public lessonPrice;
    uint256 public earned;
    uint256 public owed;

    mapping(address => uint256) public balanceOf;
    mapping(address => uint256) public lessons;
    mapping(address => uint256) public failedPayments;

    event PaidAhead(address indexed pupil, uint256 amount);
    event Lesson(address indexed pupil, uint256 number);
    event PaidBack(address indexed pupil, uint256 amount, bool accepted);
    event Inherited(address indexed from, address indexed to, uint256 amount);

    constructor(uint256 price) public {
        require(price > 0, "odd price");
        school = msg.sender;
        lessonPrice = price;
    }

    modifier covered() {
        _;
        assert(address(this).balance >= owed + earned);
    }

    function payAhead() external payable covered {
        require(msg.value > 0, "nothing paid");
        balanceOf[msg.sender] += msg.value;
        owed += msg.value;
        emit PaidAhead(msg.sender, msg.value);
    }

    /// The school notes each lesson when it was given.
    function teach(address pupil) external covered {
        require(msg.sender == school, "not the school");
        require(balanceOf[pupil] >= lessonPrice, "not paid ahead");
        balanceOf[pupil] -= lessonPrice;
        owed -= lessonPrice;
        earned += lessonPrice;
        lessons[pupil]++;
        emit Lesson(pupil, lessons[pupil]);
    }

    /// Brothers and sisters take over what one of them does not use.
    function passOn(address to, uint256 amount) external {
        require(balanceOf[msg.sender] >= amount, "not that much left");
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        emit Inherited(msg.sender, to, amount);
    }

    function payBack(uint256 amount) external covered {
        require(amount > 0 && balanceOf[msg.sender] >= amount, "not that much left");
        balanceOf[msg.sender] -= amount;
        owed -= amount;
        bool accepted = msg.sender.call.value(amount)();
        if (!accepted) {
            balanceOf[msg.sender] += amount;
            owed += amount;
            failedPayments[msg.sender]++;
        }
        emit PaidBack(msg.sender, amount, accepted);
    }

    function collect() external covered {
        require(msg.sender == school, "not the school");
        uint256 amount = earned;
        earned = 0;
        school.transfer(amount);
    }
}
