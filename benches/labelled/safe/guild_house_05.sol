pragma solidity ^0.5.0;

/// A guild with a house. Members may have the guild call other contracts;
/// what changes the guild itself goes through the elder, twice, a week apart.
contract GuildHouse {
    struct Member {
        uint64 since;
        bool active;
    }

    address payable public elder;
    uint256 public dues;
    uint256 public memberCount;
    uint256 public calls;
    uint256 public closingAt;
    bool private inside;
    mapping(address => Member) public members;

    event Joined(address indexed member);
    event Left(address indexed member);
    event Called(address indexed member, address indexed target);
    event ClosingAnnounced(uint256 at);
    event Closed(address indexed heir, uint256 value);

    modifier onlyMember() {
        require(members[msg.sender].active, "members only");
        _;
    }

    modifier onlyElder() {
        require(msg.sender == elder, "elder only");
        _;
    }

    modifier onlyGuild() {
        require(msg.sender == address(this) && inside, "guild only");
        _;
    }

    constructor(uint256 _dues) public {
        elder = msg.sender;
        dues = _dues;
    }

    function join() external payable {
        require(!members[msg.sender].active, "member already");
        require(msg.value == dues, "wrong dues");
        members[msg.sender] = Member(uint64(now), true);
        memberCount += 1;
        emit Joined(msg.sender);
    }

    function leave() external onlyMember {
        delete members[msg.sender];
        memberCount -= 1;
        emit Left(msg.sender);
    }

    function callOutside(address target, bytes calldata data) external onlyMember {
        require(target != address(this), "not ourselves");
        require(!inside, "busy");
        calls += 1;
        (bool ok, ) = target.call(data);
        require(ok, "call failed");
        emit Called(msg.sender, target);
    }

    function decide(bytes calldata data) external onlyElder {
        require(!inside, "busy");
        inside = true;
        (bool ok, ) = address(this).call(data);
        require(ok, "not carried out");
        inside = false;
    }

    function setDues(uint256 _dues) external onlyGuild {
        dues = _dues;
    }

    function announceClosing() external onlyGuild {
        closingAt = now + 7 days;
        emit ClosingAnnounced(closingAt);
    }

    function close(address payable heir) external onlyGuild {
        require(heir != address(0), "no heir");
        require(closingAt != 0 && now >= closingAt, "announce it first");
        emit Closed(heir, address(this).balance);
        selfdestruct(heir);
    }
}
