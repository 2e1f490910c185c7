// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Lends tools for a deposit, which is paid back when the tool comes back.
contract ToolLibrary {
    uint256 public constant DEPOSIT = 0.05 ether;

    struct Tool {
        string name;
        address borrower;
        bool lent;
        bool retired;
    }

    address public immutable librarian;
    Tool[] private tools;

    event Added(uint256 indexed id, string name);
    event Borrowed(uint256 indexed id, address indexed borrower);
    event Returned(uint256 indexed id, address indexed borrower);

    modifier onlyLibrarian() {
        require(msg.sender == librarian, "not the librarian");
        _;
    }

    constructor() {
        librarian = msg.sender;
        _add("drill");
        _add("ladder");
        _add("lawn mower");
        _add("angle grinder");
    }

    function addTool(string calldata name) external onlyLibrarian {
        _add(name);
    }

    function retire(uint256 id) external onlyLibrarian {
        require(id < tools.length, "no such tool");
        require(!tools[id].lent, "still lent");
        tools[id].retired = true;
    }

    function borrow(uint256 id) external payable {
        require(id < tools.length, "no such tool");
        Tool storage tool = tools[id];
        require(!tool.retired, "out of use");
        require(!tool.lent, "already lent");
        require(msg.value == DEPOSIT, "pay the deposit");
        tool.lent = true;
        tool.borrower = msg.sender;
        emit Borrowed(id, msg.sender);
    }

    function giveBack(uint256 id) external {
        require(id < tools.length, "no such tool");
        Tool storage tool = tools[id];
        require(tool.borrower == msg.sender, "not borrowed by you");
        tool.lent = false;
        emit Returned(id, msg.sender);
        payable(msg.sender).transfer(DEPOSIT); //~ ERROR ether-theft
    }

    function isAvailable(uint256 id) external view returns (bool) {
        return id < tools.length && !tools[id].lent && !tools[id].retired;
    }

    function _add(string memory name) private {
        tools.push(Tool(name, address(0), false, false));
        emit Added(tools.length - 1, name);
    }
}
