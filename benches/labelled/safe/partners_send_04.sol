pragma solidity ^0.4.24;

contract PartnersTill {
    address public manager;
    address[3] private partners;
    uint256 public takings;
    uint256 public unpaid;
    mapping(address => uint256) public unpaidOf;
    mapping(bytes32 => uint256) public soldOf;

    event Sold(bytes32 indexed item, address indexed buyer, uint256 amount);
    event Shared(uint256 amount, uint256 refused);
    event PartnerChanged(uint256 indexed index, address partner);

    modifier onlyManager() {
        require(msg.sender == manager);
        _;
    }

    constructor(address first, address second) public {
        manager = msg.sender;
        partners[0] = first == address(0) ? msg.sender : first;
        partners[1] = second == address(0) ? msg.sender : second;
        partners[2] = msg.sender;
    }

    function buy(bytes32 item) public payable {
        require(msg.value >= 3);
        takings += msg.value;
        soldOf[item] += 1;
        emit Sold(item, msg.sender, msg.value);
    }

    // Whoever refuses a share finds it in the books.
    function share() public {
        uint256 part = takings / 3;
        require(part > 0);
        takings -= part * 3;
        uint256 refused = 0;
        for (uint256 i = 0; i < 3; i++) {
            if (!partners[i].send(part)) {
                unpaidOf[partners[i]] += part;
                unpaid += part;
                refused++;
            }
        }
        emit Shared(part * 3, refused);
    }

    function collect(address to) public {
        uint256 amount = unpaidOf[msg.sender];
        require(amount > 0 && to != address(0));
        unpaidOf[msg.sender] = 0;
        unpaid -= amount;
        require(to.send(amount));
    }

    function changePartner(uint256 index, address partner) public onlyManager {
        require(index < 3 && partner != address(0));
        partners[index] = partner;
        emit PartnerChanged(index, partner);
    }

    function partnerAt(uint256 index) public view returns (address) {
        require(index < 3);
        return partners[index];
    }
}
