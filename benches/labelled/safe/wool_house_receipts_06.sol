// SPDX-License-Identifier: MIT
pragma solidity ^0.6.0;

abstract contract Guarded {
    bool private entered;

    modifier nonReentrant() {
        require(!entered, "Guarded: entered");
        entered = true;
        _;
        entered = false;
    }
}

/// Receipts for what lies in the house. They pass from hand to hand.
contract WoolReceipt {
    string public constant name = "Wool receipt";
    string public constant symbol = "WOOL";
    uint8 public constant decimals = 18;

    address public immutable house;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    modifier onlyWoolHouse() {
        require(msg.sender == house, "WOOL: house only");
        _;
    }

    constructor() public {
        house = msg.sender;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        _move(msg.sender, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        require(allowance[from][msg.sender] >= value, "WOOL: allowance");
        allowance[from][msg.sender] -= value;
        _move(from, to, value);
        return true;
    }

    function issue(address to, uint256 value) external onlyWoolHouse {
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    /// Tears up all the receipts that the holder has.
    function tearUp(address holder) external onlyWoolHouse returns (uint256 value) {
        value = balanceOf[holder];
        balanceOf[holder] = 0;
        totalSupply -= value;
        emit Transfer(holder, address(0), value);
    }

    function _move(address from, address to, uint256 value) private {
        require(to != address(0), "WOOL: nobody");
        require(balanceOf[from] >= value, "WOOL: balance");
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}

contract WoolHouse is Guarded {
    WoolReceipt public immutable receipt;
    address public immutable factor;
    uint256 public immutable smallest;
    bool public open = true;

    event Stored(address indexed shepherd, uint256 value);
    event FetchedAll(address indexed shepherd, uint256 value);

    constructor(uint256 _smallest) public {
        factor = msg.sender;
        smallest = _smallest;
        receipt = new WoolReceipt();
    }

    function setOpen(bool _open) external {
        require(msg.sender == factor, "factor only");
        open = _open;
    }

    function store() external payable nonReentrant {
        require(open, "closed");
        require(msg.value >= smallest, "too little");
        receipt.issue(msg.sender, msg.value);
        emit Stored(msg.sender, msg.value);
    }

    function fetchAll() external nonReentrant {
        uint256 value = receipt.tearUp(msg.sender);
        require(value > 0, "no receipts");
        (bool ok, ) = msg.sender.call{value: value}("");
        require(ok, "not taken");
        emit FetchedAll(msg.sender, value);
    }

    function stored() external view returns (uint256) {
        return address(this).balance;
    }
}
