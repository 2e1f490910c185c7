pragma solidity ^0.4.24;

/**
 * A community garden. Visitors come and go, gardeners look after the beds,
 * and the warden runs the whole.
 */
contract GardenRoles {
    enum Role { Warden, Gardener, Visitor }

    mapping(address => Role) public roleOf;
    uint256 public visitors;

    event RoleGiven(address indexed who, Role role);

    modifier only(Role role) {
        require(roleOf[msg.sender] == role, "not your task");
        _;
    }

    constructor() public {
        roleOf[msg.sender] = Role.Warden;
        emit RoleGiven(msg.sender, Role.Warden);
    }

    function visit() external {
        require(roleOf[msg.sender] != Role.Visitor, "here already");
        roleOf[msg.sender] = Role.Visitor;
        visitors += 1;
        emit RoleGiven(msg.sender, Role.Visitor);
    }

    function makeGardener(address who) external only(Role.Warden) {
        require(roleOf[who] == Role.Visitor, "visitors only");
        roleOf[who] = Role.Gardener;
        emit RoleGiven(who, Role.Gardener);
    }
}

contract CommunityGarden is GardenRoles {
    struct Bed {
        bytes32 crop;
        uint256 watered;
    }

    string public name;
    Bed[] public beds;
    mapping(address => uint256) public givenBy;

    event Gift(address indexed from, uint256 value);
    event Planted(uint256 indexed bed, bytes32 crop);
    event Closed(address heir, uint256 value);

    constructor(string _name) public {
        name = _name;
    }

    function () external payable {
        givenBy[msg.sender] += msg.value;
        emit Gift(msg.sender, msg.value);
    }

    function plant(bytes32 crop) external only(Role.Gardener) returns (uint256 bed) {
        require(beds.length < 100, "no room");
        bed = beds.push(Bed(crop, 0)) - 1;
        emit Planted(bed, crop);
    }

    function water(uint256 bed) external only(Role.Gardener) {
        require(bed < beds.length, "no such bed");
        beds[bed].watered += 1;
    }

    /** The land is given up. Another garden gets what is left. */
    function close(address heir) external only(Role.Warden) {
        require(heir != address(0), "nobody");
        emit Closed(heir, address(this).balance);
        selfdestruct(heir); //~ ERROR self-destruct
    }
}
