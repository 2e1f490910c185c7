// Sound: block numbers only end the bidding, each late bid moves the end, and the hash of the block is nothing but a name for the lot, so no block decides who is paid.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Berths at a pier, leased by auction for a season
/// @notice Bidding ends when no bid came for a number of blocks. Who is outbid
///         fetches the bid at any time.
contract PierBerths {
    struct Lot {
        address lessor;
        address leader;
        uint128 bid;
        uint64 endBlock;
        bool settled;
    }

    uint256 public constant FIRST_BLOCKS = 100;
    uint256 public constant LATE_BLOCKS = 20;
    uint256 public constant LEAST_BID = 10 gwei;

    mapping(bytes32 => Lot) public lots;
    mapping(address => uint256) public credit;
    mapping(bytes32 => address) public lesseeOf;
    uint256 public opened;
    uint256 public held;

    event Opened(bytes32 indexed lot, address indexed lessor, uint256 endBlock);
    event Bid(bytes32 indexed lot, address indexed who, uint256 amount, uint256 endBlock);
    event Settled(bytes32 indexed lot, address indexed lessee, uint256 amount);

    /// @notice The name of the lot is a hash, so that it tells nothing about the berth.
    function open() external returns (bytes32 lot) {
        opened += 1;
        lot = keccak256(abi.encode(blockhash(block.number - 1), block.prevrandao, msg.sender, opened));
        lots[lot] = Lot(msg.sender, address(0), 0, uint64(block.number + FIRST_BLOCKS), false);
        emit Opened(lot, msg.sender, block.number + FIRST_BLOCKS);
    }

    function bid(bytes32 lot) external payable {
        Lot storage l = lots[lot];
        require(l.lessor != address(0) && block.number < l.endBlock, "not open");
        require(msg.sender != l.lessor, "your own berth");
        require(msg.value <= type(uint96).max, "too much");
        require(msg.value >= LEAST_BID && msg.value >= uint256(l.bid) + l.bid / 20, "too low");
        address outbid = l.leader;
        uint256 back = l.bid;
        l.leader = msg.sender;
        l.bid = uint128(msg.value);
        held += msg.value;
        if (block.number + LATE_BLOCKS > l.endBlock) {
            l.endBlock = uint64(block.number + LATE_BLOCKS);
        }
        if (outbid != address(0)) {
            credit[outbid] += back;
        }
        assert(held >= l.bid);
        emit Bid(lot, msg.sender, msg.value, l.endBlock);
    }

    function settle(bytes32 lot) external {
        Lot storage l = lots[lot];
        require(l.lessor != address(0) && block.number >= l.endBlock, "still open");
        require(!l.settled, "settled");
        l.settled = true;
        lesseeOf[lot] = l.leader;
        credit[l.lessor] += l.bid;
        emit Settled(lot, l.leader, l.bid);
    }

    function withdraw() external {
        _withdraw(msg.sender);
    }

    /// @notice Anybody may see to it that somebody is paid what is theirs.
    function withdrawFor(address who) external {
        _withdraw(who);
    }

    function blocksLeft(bytes32 lot) external view returns (uint256) {
        Lot storage l = lots[lot];
        return block.number >= l.endBlock ? 0 : l.endBlock - block.number;
    }

    function _withdraw(address who) private {
        uint256 amount = credit[who];
        require(amount > 0, "nothing");
        credit[who] = 0;
        held -= amount;
        (bool ok,) = who.call{value: amount}("");
        require(ok, "not accepted");
    }
}
