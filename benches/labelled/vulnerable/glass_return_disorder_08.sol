// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Who holds how many bottles
contract GlassBook {
    address public immutable hall;
    mapping(address => uint256) public bottlesOf;
    uint256 public inCirculation;

    constructor() {
        hall = msg.sender;
    }

    modifier onlyHall() {
        require(msg.sender == hall, "not the hall");
        _;
    }

    function add(address holder, uint256 count) external onlyHall {
        bottlesOf[holder] += count;
        inCirculation += count;
    }

    function remove(address holder, uint256 count) external onlyHall {
        require(bottlesOf[holder] >= count, "not that many");
        bottlesOf[holder] -= count;
        inCirculation -= count;
    }
}

/// @title Bottle deposits of a town
/// @notice Bottles are sold with a deposit of which four fifths are paid back.
///         The rest pays the hauliers who take full loads to the glass works.
contract GlassReturn {
    uint256 public constant DEPOSIT = 5 gwei;
    uint256 public constant REFUND = 4 gwei;
    uint256 public constant LOAD = 10;
    uint256 public constant LOAD_FEE = 10 gwei;

    GlassBook public immutable book;
    address public immutable town;
    address payable[] public hauliers;
    mapping(address => bool) public licensed;
    mapping(address => uint256) public due;
    uint256 public yard;
    uint256 public haulagePot;

    event Sold(address indexed to, uint256 count);
    event TakenBack(address indexed from, uint256 count);
    event Hauled(address indexed haulier, uint256 fee);

    constructor() {
        book = new GlassBook();
        town = msg.sender;
    }

    function license(address payable haulier) external {
        require(msg.sender == town, "not the town");
        require(haulier != address(0) && !licensed[haulier], "haulier");
        licensed[haulier] = true;
        hauliers.push(haulier);
    }

    function sell(uint256 count) external payable {
        require(count > 0 && count <= 100_000, "count");
        require(msg.value == count * DEPOSIT, "the deposit");
        haulagePot += count * (DEPOSIT - REFUND);
        book.add(msg.sender, count);
        emit Sold(msg.sender, count);
    }

    function takeBack(uint256 count) external {
        require(count > 0 && count <= 100_000, "count");
        address(book).call(abi.encodeCall(GlassBook.remove, (msg.sender, count))); //~ ERROR exception-disorder
        yard += count;
        due[msg.sender] += count * REFUND;
        emit TakenBack(msg.sender, count);
    }

    function cashOut() external {
        uint256 amount = due[msg.sender];
        require(amount > 0, "nothing due");
        due[msg.sender] = 0;
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok, "not accepted");
    }

    /// @notice Sends a full load off. The hauliers take turns.
    function haul() external {
        require(hauliers.length > 0, "no hauliers");
        require(yard >= LOAD, "no full load");
        yard -= LOAD;
        haulagePot -= LOAD_FEE;
        address payable haulier = hauliers[block.timestamp % hauliers.length];
        emit Hauled(haulier, LOAD_FEE);
        (bool ok,) = haulier.call{value: LOAD_FEE}(""); //~ ERROR timestamp
        if (!ok) {
            due[haulier] += LOAD_FEE;
        }
    }
}
