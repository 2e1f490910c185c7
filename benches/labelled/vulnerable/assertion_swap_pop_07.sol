// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

contract MemberList {
    struct Member {
        bytes32 name;
        uint64 since;
        bool exists;
    }

    address public secretary;
    uint256 public maxMembers;
    uint256[] private numbers;
    mapping(uint256 => Member) private members;
    mapping(uint256 => uint256) private positionOf;
    mapping(address => uint256) public addedBy;

    event Added(uint256 indexed number, bytes32 name);
    event Removed(uint256 indexed number);
    event Renamed(uint256 indexed number, bytes32 name);

    modifier known(uint256 number) {
        require(members[number].exists, "no such member");
        _;
    }

    constructor(uint8 _maxMembers) {
        secretary = msg.sender;
        maxMembers = uint256(_maxMembers) + 10;
    }

    function add(uint256 number, bytes32 name) external {
        require(!members[number].exists, "taken");
        require(numbers.length < maxMembers, "full");
        positionOf[number] = numbers.length;
        numbers.push(number);
        members[number] = Member(name, uint64(block.timestamp), true);
        addedBy[msg.sender] += 1;
        emit Added(number, name);
    }

    function remove(uint256 number) external known(number) {
        uint256 position = positionOf[number];
        uint256 last = numbers.length - 1;
        require(position <= last, "not in the list");
        if (position != last) {
            numbers[position] = numbers[last];
        }
        numbers.pop();
        delete positionOf[number];
        delete members[number];
        emit Removed(number);
    }

    function rename(uint256 number, bytes32 name) external known(number) {
        uint256 position = positionOf[number];
        require(position < numbers.length, "not in the list");
        assert(numbers[position] == number); //~ ERROR assertion
        members[number].name = name;
        emit Renamed(number, name);
    }

    function memberCount() external view returns (uint256) {
        return numbers.length;
    }

    function nameOf(uint256 number) external view known(number) returns (bytes32) {
        return members[number].name;
    }

    function setMaxMembers(uint8 value) external {
        require(msg.sender == secretary, "secretary only");
        maxMembers = uint256(value) + 10;
    }
}
