pragma solidity ^0.4.24;

/**
 * Prepaid power of a housing block. Residents buy units, put units aside for
 * the night tariff and give them back if the night was mild.
 */
contract Administered {
    address public admin;
    bool public halted;

    event Halted(bool halted);

    constructor() public {
        admin = msg.sender;
    }

    modifier onlyAdmin() {
        require(msg.sender == admin, "admin only");
        _;
    }

    modifier running() {
        require(!halted, "halted");
        _;
    }

    function setHalted(bool isHalted) external onlyAdmin {
        halted = isHalted;
        emit Halted(isHalted);
    }
}

contract PowerCredits is Administered {
    struct Account {
        uint256 free;
        uint256 night;
        uint256 used;
    }

    uint256 public unitPrice;
    mapping(address => Account) public accounts;
    mapping(address => bool) public meters;

    event Topped(address indexed resident, uint256 units);
    event PutAside(address indexed resident, uint256 units);
    event GivenBack(address indexed resident, uint256 units);
    event Metered(address indexed resident, uint256 units);
    event Refunded(address indexed resident, uint256 units, uint256 value);

    constructor(uint256 price) public {
        require(price > 0, "free power");
        unitPrice = price;
    }

    function addMeter(address meter, bool active) external onlyAdmin {
        meters[meter] = active;
    }

    function topUp() external payable running {
        uint256 units = msg.value / unitPrice;
        require(units > 0, "not a unit");
        accounts[msg.sender].free += units;
        emit Topped(msg.sender, units);
    }

    function putAside(uint256 units) external running {
        Account storage account = accounts[msg.sender];
        require(account.free >= units, "not enough units");
        account.free -= units;
        account.night += units;
        emit PutAside(msg.sender, units);
    }

    function giveBack(uint256 units) external running {
        Account storage account = accounts[msg.sender];
        account.night -= units; //~ ERROR overflow
        account.free += units;
        emit GivenBack(msg.sender, units);
    }

    function meter(address resident, uint256 units) external {
        require(meters[msg.sender], "not a meter");
        Account storage account = accounts[resident];
        require(account.free >= units, "cut off");
        account.free -= units;
        account.used += units;
        emit Metered(resident, units);
    }

    // Residents who move out give the rest back.
    function moveOut() external running {
        Account storage account = accounts[msg.sender];
        uint256 units = account.free;
        require(units > 0 && account.used > 0, "nothing to settle");
        uint256 value = address(this).balance / unitPrice < units ? address(this).balance : units * unitPrice;
        account.free = 0;
        msg.sender.transfer(value);
        emit Refunded(msg.sender, units, value);
    }
}
