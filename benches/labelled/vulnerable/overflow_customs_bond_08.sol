// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

/// @notice Agents post a bond before they declare goods. The office draws duties that were not paid from it.
contract CustomsBonds {
    /// @dev Two slots.
    struct Bond {
        address surety;
        uint64 amount;
        uint32 declarations;
        uint64 lastDeclared;
        uint64 drawn;
        bool suspended;
    }

    uint256 public constant SMALLEST = 10 ether;
    uint256 public constant NOTICE = 7 days;

    address public immutable office;
    uint256 public held;
    mapping(address agent => Bond) public bonds;

    event Posted(address indexed agent, address indexed surety, uint256 amount);
    event Declared(address indexed agent, bytes32 indexed goods);
    event Drawn(address indexed agent, uint64 amount);
    event Released(address indexed agent, uint256 amount);

    error OfficeOnly();

    modifier onlyOffice() {
        if (msg.sender != office) revert OfficeOnly();
        _;
    }

    constructor() {
        office = msg.sender;
    }

    /// @notice A surety may post it for an agent, and gets it back when it is released.
    function post(address agent) external payable {
        require(msg.value >= SMALLEST, "too small");
        Bond storage b = bonds[agent];
        require(b.surety == address(0), "posted");
        b.surety = msg.sender;
        b.amount = uint64(msg.value); //~ ERROR overflow
        held += msg.value;
        emit Posted(agent, msg.sender, msg.value);
    }

    function declare(bytes32 goods) external {
        Bond storage b = bonds[msg.sender];
        require(b.surety != address(0) && !b.suspended, "no bond");
        b.declarations += 1;
        b.lastDeclared = uint64(block.timestamp);
        emit Declared(msg.sender, goods);
    }

    function draw(address agent, uint64 amount) external onlyOffice {
        Bond storage b = bonds[agent];
        b.amount -= amount;
        b.drawn += amount;
        held -= amount;
        emit Drawn(agent, amount);
        payable(office).transfer(amount);
    }

    function suspend(address agent, bool yes) external onlyOffice {
        bonds[agent].suspended = yes;
    }

    function release(address agent) external {
        Bond storage b = bonds[agent];
        require(b.surety == msg.sender, "not the surety");
        require(!b.suspended, "suspended");
        require(b.lastDeclared == 0 || block.timestamp >= b.lastDeclared + NOTICE, "declared lately");
        uint256 amount = b.amount;
        delete bonds[agent];
        held -= amount;
        emit Released(agent, amount);
        payable(msg.sender).transfer(amount);
    }
}
