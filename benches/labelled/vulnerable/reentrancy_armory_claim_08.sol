// SPDX-License-Identifier: MIT
pragma solidity ^0.8.21;

interface IItemReceiver {
    function onERC1155Received(address operator, address from, uint256 id, uint256 value, bytes calldata data)
        external
        returns (bytes4);
}

/// @dev The part of ERC-1155 that the game needs.
abstract contract Items {
    mapping(uint256 => mapping(address => uint256)) public balanceOf;
    mapping(address => mapping(address => bool)) public isApprovedForAll;

    event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value);
    event ApprovalForAll(address indexed account, address indexed operator, bool approved);

    error NotApproved();
    error UnsafeReceiver();

    function setApprovalForAll(address operator, bool approved) external {
        isApprovedForAll[msg.sender][operator] = approved;
        emit ApprovalForAll(msg.sender, operator, approved);
    }

    function safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes calldata data) external {
        if (from != msg.sender && !isApprovedForAll[from][msg.sender]) revert NotApproved();
        balanceOf[id][from] -= value;
        balanceOf[id][to] += value;
        emit TransferSingle(msg.sender, from, to, id, value);
        _acknowledge(from, to, id, value, data);
    }

    function _mint(address to, uint256 id, uint256 value) internal {
        balanceOf[id][to] += value;
        emit TransferSingle(msg.sender, address(0), to, id, value);
        _acknowledge(address(0), to, id, value, "");
    }

    function _burn(address from, uint256 id, uint256 value) internal {
        balanceOf[id][from] -= value;
        emit TransferSingle(msg.sender, from, address(0), id, value);
    }

    function _acknowledge(address from, address to, uint256 id, uint256 value, bytes memory data) private {
        if (to.code.length == 0) return;
        bytes4 answer = IItemReceiver(to).onERC1155Received(msg.sender, from, id, value, data); //~ ERROR reentrancy
        if (answer != IItemReceiver.onERC1155Received.selector) revert UnsafeReceiver();
    }
}

/// @title Armory of the first season
/// @notice One relic for each account. A smith turns three shards into a relic of a higher kind.
contract Armory is Items {
    uint256 public constant RELIC = 1;
    uint256 public constant SHARD = 2;
    uint256 public constant CROWN = 3;

    address public immutable gameMaster;
    uint256 public immutable relicLimit;
    uint256 public relics;
    bool public seasonOver;
    mapping(address => bool) public hasClaimed;

    event Claimed(address indexed player, uint256 number);
    event Broken(address indexed player, uint256 relics);
    event Forged(address indexed player, uint256 crowns);

    error AlreadyClaimed();
    error SeasonOver();
    error NoneLeft();

    constructor(uint256 relicLimit_) {
        require(relicLimit_ > 0, "no relics");
        gameMaster = msg.sender;
        relicLimit = relicLimit_;
    }

    function claim() external {
        if (seasonOver) revert SeasonOver();
        if (hasClaimed[msg.sender]) revert AlreadyClaimed();
        if (relics == relicLimit) revert NoneLeft();
        uint256 number = ++relics;
        _mint(msg.sender, RELIC, 1);
        hasClaimed[msg.sender] = true;
        emit Claimed(msg.sender, number);
    }

    /// @notice A relic breaks into two shards.
    function breakUp(uint256 amount) external {
        _burn(msg.sender, RELIC, amount);
        emit Broken(msg.sender, amount);
        _mint(msg.sender, SHARD, 2 * amount);
    }

    function forge(uint256 crowns) external {
        _burn(msg.sender, SHARD, 3 * crowns);
        emit Forged(msg.sender, crowns);
        _mint(msg.sender, CROWN, crowns);
    }

    function endSeason() external {
        require(msg.sender == gameMaster, "game master only");
        seasonOver = true;
    }
}
