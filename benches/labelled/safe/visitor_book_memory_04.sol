pragma solidity ^0.4.24;

/**
 * The visitors' book of a lighthouse. Visitors sign, and may leave something for the lamp.
 */
contract Lighthouse {
    struct Visitor {
        address who;
        uint256 party;
    }

    address public keeper;
    uint256 public entrance;
    bool public foggy;

    Visitor[] public visitors;
    mapping(uint256 => uint256) public paidFor;
    mapping(address => uint256) public givenBy;

    event Signed(uint256 indexed id, address indexed who, uint256 party);
    event Paid(uint256 indexed id, uint256 amount);
    event Given(address indexed by, uint256 amount);
    event Closed(address heir);

    modifier onlyKeeper() {
        require(msg.sender == keeper, "keeper only");
        _;
    }

    constructor(uint256 _entrance) public {
        require(_entrance <= 10 ether, "price out of range");
        keeper = msg.sender;
        entrance = _entrance;
    }

    function setFoggy(bool yes) external onlyKeeper {
        foggy = yes;
    }

    function sign(uint256 party) external returns (uint256 id) {
        require(!foggy, "nothing to see");
        require(party > 0 && party <= 30, "party out of range");
        Visitor memory visitor;
        visitor.who = msg.sender;
        visitor.party = party;
        id = visitors.push(visitor) - 1;
        emit Signed(id, msg.sender, party);
    }

    function pay(uint256 id) external payable {
        require(id < visitors.length, "no such visitor");
        require(msg.value >= visitors[id].party * entrance, "too little");
        paidFor[id] += msg.value;
        emit Paid(id, msg.value);
    }

    function giveToLamp() external payable {
        require(msg.value > 0, "nothing");
        givenBy[msg.sender] += msg.value;
        emit Given(msg.sender, msg.value);
    }

    function empty() external onlyKeeper {
        msg.sender.transfer(address(this).balance);
    }

    function close(address heir) external onlyKeeper {
        require(heir != address(0), "nobody");
        emit Closed(heir);
        selfdestruct(heir);
    }
}
