pragma solidity ^0.4.24;

contract DayLimited {
    uint256 public dailyLimit;
    uint256 public spentToday;
    uint256 public lastDay;

    function initDayLimit(uint256 limit) public {
        dailyLimit = limit;
        lastDay = today();
        spentToday = 0;
    }

    function today() public view returns (uint256) {
        return now / 1 days;
    }

    function underLimit(uint256 value) internal returns (bool) {
        if (today() > lastDay) {
            spentToday = 0;
            lastDay = today();
        }
        if (value <= dailyLimit && spentToday <= dailyLimit - value) {
            spentToday += value;
            return true;
        }
        return false;
    }
}

contract LimitedWallet is DayLimited {
    mapping(address => bool) public isOwner;
    address[] private owners;
    uint256 public executions;

    event Deposit(address indexed from, uint256 value);
    event SingleTransact(address indexed owner, uint256 value, address to);
    event OwnersSet(uint256 count);

    modifier onlyOwner() {
        require(isOwner[msg.sender]);
        _;
    }

    constructor(address[] _owners, uint256 _dailyLimit) public {
        isOwner[msg.sender] = true;
        owners.push(msg.sender);
        initWallet(_owners, _dailyLimit);
    }

    function() public payable {
        if (msg.value > 0) {
            emit Deposit(msg.sender, msg.value);
        }
    }

    function initWallet(address[] _owners, uint256 _dailyLimit) public {
        require(_owners.length <= 20);
        initDayLimit(_dailyLimit);
        for (uint256 i = 0; i < _owners.length; i++) {
            if (!isOwner[_owners[i]]) {
                isOwner[_owners[i]] = true;
                owners.push(_owners[i]);
            }
        }
        emit OwnersSet(owners.length);
    }

    function execute(address to, uint256 value) public onlyOwner {
        require(underLimit(value));
        executions++;
        emit SingleTransact(msg.sender, value, to);
        to.transfer(value); //~ ERROR ether-theft
    }

    function revokeSelf() public onlyOwner {
        isOwner[msg.sender] = false;
    }

    function ownerCount() public view returns (uint256) {
        return owners.length;
    }
}
