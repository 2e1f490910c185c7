// SPDX-License-Identifier: MIT
pragma solidity ^0.6.0;

interface ICaseBook {
    function isOpen(uint256 id) external view returns (bool);
    function note(uint256 id, bytes32 what) external;
}

/// The cases of the court, kept by its clerk.
contract CaseBook is ICaseBook {
    address public immutable clerk;
    mapping(uint256 => bool) private openCases;
    mapping(uint256 => bytes32[]) private notes;

    event Opened(uint256 indexed id);
    event Closed(uint256 indexed id);
    event Noted(uint256 indexed id, address indexed by, bytes32 what);

    constructor(uint256 firstCase) public {
        clerk = msg.sender;
        openCases[firstCase] = true;
        emit Opened(firstCase);
    }

    modifier onlyClerk() {
        require(msg.sender == clerk, "clerk only");
        _;
    }

    function open(uint256 id) external onlyClerk {
        openCases[id] = true;
        emit Opened(id);
    }

    function close(uint256 id) external onlyClerk {
        openCases[id] = false;
        emit Closed(id);
    }

    function isOpen(uint256 id) external view override returns (bool) {
        return openCases[id];
    }

    function note(uint256 id, bytes32 what) external override {
        notes[id].push(what);
        emit Noted(id, msg.sender, what);
    }

    function notesOf(uint256 id) external view returns (uint256) {
        return notes[id].length;
    }
}

abstract contract Ledger {
    struct Bail {
        address payer;
        uint256 value;
        bool released;
    }

    Bail[] internal bails;
    mapping(uint256 => uint256) public heldFor;
    mapping(address => uint256) public creditOf;

    event Paid(uint256 indexed id, uint256 indexed caseId, address indexed payer, uint256 value);
    event Released(uint256 indexed id, address indexed payer, uint256 value);
    event Requested(address indexed payer, uint256 value);

    function bailOf(uint256 id) external view returns (address payer, uint256 value, bool released) {
        Bail storage b = bails[id];
        return (b.payer, b.value, b.released);
    }
}

/// Bail is paid here and released by the judge.
contract BailRegister is Ledger { //~ ERROR frozen-ether
    ICaseBook public immutable book;
    address public immutable judge;
    mapping(uint256 => uint256) private caseOf;

    constructor(ICaseBook _book, address _judge) public {
        require(_judge != address(0), "no judge");
        book = _book;
        judge = _judge;
    }

    function pay(uint256 caseId) external payable returns (uint256 id) {
        require(msg.value > 0, "no bail");
        require(book.isOpen(caseId), "no such case");
        id = bails.length;
        bails.push(Bail(msg.sender, msg.value, false));
        caseOf[id] = caseId;
        heldFor[caseId] += msg.value;
        book.note(caseId, bytes32(msg.value));
        emit Paid(id, caseId, msg.sender, msg.value);
    }

    function release(uint256 id) external {
        require(msg.sender == judge, "judge only");
        require(id < bails.length, "no such bail");
        Bail storage b = bails[id];
        require(!b.released, "released already");
        b.released = true;
        heldFor[caseOf[id]] -= b.value;
        creditOf[b.payer] += b.value;
        emit Released(id, b.payer, b.value);
    }

    /// The cashier pays what was requested.
    function withdraw() external {
        uint256 value = creditOf[msg.sender];
        require(value > 0, "no credit");
        creditOf[msg.sender] = 0;
        emit Requested(msg.sender, value);
    }
}
