pragma solidity ^0.5.0;

/// An association that rents a hall. Members pay dues and may have the
/// association call other contracts: book a date, vote elsewhere, order chairs.
contract Membership {
    struct Member {
        uint64 since;
        uint64 calls;
        bool active;
    }

    uint256 public dues;
    uint256 public memberCount;
    mapping(address => Member) public members;

    event Joined(address indexed member);
    event Resigned(address indexed member);

    modifier onlyMember() {
        require(members[msg.sender].active, "members only");
        _;
    }

    /// What changes the association itself is decided by the assembly.
    modifier onlyAssembly() {
        require(msg.sender == address(this), "assembly only");
        _;
    }

    function join() external payable {
        require(!members[msg.sender].active, "member already");
        require(msg.value == dues, "wrong dues");
        members[msg.sender] = Member(uint64(now), 0, true);
        memberCount += 1;
        emit Joined(msg.sender);
    }

    function resign() external onlyMember {
        delete members[msg.sender];
        memberCount -= 1;
        emit Resigned(msg.sender);
    }
}

contract AssemblyHall is Membership {
    address public chair;
    string public purpose;
    bytes32[] public minutesOf;
    mapping(bytes32 => bool) public decided;

    event Called(address indexed member, address indexed target, bytes data);
    event Decided(bytes32 indexed decision);
    event DuesSet(uint256 dues);
    event Dissolved(address indexed heir);

    constructor(string memory _purpose, uint256 _dues) public {
        chair = msg.sender;
        purpose = _purpose;
        dues = _dues;
    }

    /// No ether goes along: the treasury is not for single members.
    function callOutside(address target, bytes calldata data) external onlyMember returns (bytes memory) {
        require(target != address(0), "no target");
        members[msg.sender].calls += 1;
        (bool ok, bytes memory result) = target.call(data);
        require(ok, "call failed");
        emit Called(msg.sender, target, data);
        return result;
    }

    /// The chair carries out what the assembly decided.
    function carryOut(bytes32 decision, bytes calldata data) external {
        require(msg.sender == chair, "chair only");
        require(!decided[decision], "done already");
        decided[decision] = true;
        minutesOf.push(decision);
        (bool ok, ) = address(this).call(data);
        require(ok, "not carried out");
        emit Decided(decision);
    }

    function setDues(uint256 _dues) external onlyAssembly {
        dues = _dues;
        emit DuesSet(_dues);
    }

    function setChair(address _chair) external onlyAssembly {
        require(_chair != address(0), "no chair");
        chair = _chair;
    }

    function dissolve(address payable heir) external onlyAssembly {
        require(heir != address(0), "no heir");
        emit Dissolved(heir);
        selfdestruct(heir); //~ ERROR self-destruct
    }
}
