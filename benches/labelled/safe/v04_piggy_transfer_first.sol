// By design: transfer() comes before the write, the 2300 gas stipend does not allow a second call in.
pragma solidity ^0.4.24;

contract PiggyBank {
    struct Saving {
        uint256 amount;
        uint256 unlockAt;
    }

    mapping(address => Saving) public savings;

    event Saved(address indexed who, uint256 amount, uint256 unlockAt);
    event Broken(address indexed who, uint256 amount);

    function save(uint256 lockDays) public payable {
        require(msg.value > 0, "empty");
        require(lockDays >= 1 && lockDays <= 3650, "days");
        Saving storage s = savings[msg.sender];
        uint256 until = now + lockDays * 1 days;
        // a further deposit may only prolong the lock
        if (until > s.unlockAt) {
            s.unlockAt = until;
        }
        s.amount += msg.value;
        emit Saved(msg.sender, msg.value, s.unlockAt);
    }

    function breakOpen() public {
        Saving storage s = savings[msg.sender];
        require(s.amount > 0, "nothing saved");
        require(now >= s.unlockAt, "still locked");
        uint256 amount = s.amount;
        msg.sender.transfer(amount);
        s.amount = 0;
        s.unlockAt = 0;
        emit Broken(msg.sender, amount);
    }

    function timeLeft(address who) public view returns (uint256) {
        Saving storage s = savings[who];
        return s.unlockAt > now ? s.unlockAt - now : 0;
    }
}
