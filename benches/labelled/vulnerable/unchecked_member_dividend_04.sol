pragma solidity ^0.4.24;

/**
 * A village shop owned by its members. Everybody holds one share; the takings
 * are divided whenever somebody asks for it.
 */
contract ShopRegister {
    uint256 public constant SHARE_PRICE = 50 finney;
    uint256 public constant MAX_MEMBERS = 40;

    address[] internal members;
    mapping(address => uint256) internal numberOf;
    uint256 public shareCapital;

    event MemberJoined(address indexed member, uint256 number);
    event MemberLeft(address indexed member);

    modifier membersOnly() {
        require(numberOf[msg.sender] != 0);
        _;
    }

    function buyShare() external payable {
        require(msg.value == SHARE_PRICE);
        require(numberOf[msg.sender] == 0);
        require(members.length < MAX_MEMBERS);
        // what was taken before belongs to those who were members then
        require(undivided() <= members.length);
        members.push(msg.sender);
        numberOf[msg.sender] = members.length;
        shareCapital += msg.value;
        emit MemberJoined(msg.sender, members.length);
    }

    function leave() external membersOnly {
        require(members.length > 1 || undivided() == 0);
        uint256 number = numberOf[msg.sender];
        address last = members[members.length - 1];
        members[number - 1] = last;
        numberOf[last] = number;
        numberOf[msg.sender] = 0;
        members.length--;
        shareCapital -= SHARE_PRICE;
        msg.sender.transfer(SHARE_PRICE);
        emit MemberLeft(msg.sender);
    }

    function memberCount() public view returns (uint256) {
        return members.length;
    }

    function undivided() public view returns (uint256);
}

contract VillageShop is ShopRegister {
    string public village;
    uint256 public takings;
    uint256 public rounds;
    uint256 public divided;

    event Sale(address indexed customer, uint256 value, bytes32 goods);
    event Dividend(uint256 indexed round, uint256 each);

    constructor(string _village) public {
        village = _village;
    }

    function undivided() public view returns (uint256) {
        return takings;
    }

    function pay(bytes32 goods) external payable {
        require(msg.value > 0 && memberCount() > 0);
        takings += msg.value;
        emit Sale(msg.sender, msg.value, goods);
    }

    // Anyone may ask, everybody gets the same.
    function divide() external {
        uint256 count = memberCount();
        require(count > 0);
        uint256 each = takings / count;
        require(each > 0);
        takings -= each * count;
        for (uint256 i = 0; i < count; i++) {
            members[i].send(each); //~ ERROR unchecked-call
        }
        rounds += 1;
        divided += each * count;
        emit Dividend(rounds, each);
    }
}
