// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

abstract contract Lock {
    uint256 private _entered = 1;

    error Entered();

    modifier lock() {
        if (_entered != 1) revert Entered();
        _entered = 2;
        _;
        _entered = 1;
    }
}

/// @title Streams of ether: a salary that is earned second by second
/// @notice The payer may cancel; what is earned until then stays with the payee. The right to a stream may be handed on.
contract EtherStreams is Lock {
    struct Stream {
        address payer;
        address payee;
        uint128 deposit;
        uint128 drawn;
        uint64 start;
        uint64 stop;
    }

    uint256 public nextId = 1;
    mapping(uint256 => Stream) private _streams;
    mapping(address => uint256) public owedTo;

    event Created(uint256 indexed id, address indexed payer, address indexed payee, uint256 deposit, uint256 stop);
    event Drawn(uint256 indexed id, uint256 amount);
    event Cancelled(uint256 indexed id, uint256 toPayee, uint256 toPayer);
    event HandedOn(uint256 indexed id, address indexed to);

    error NoStream();
    error NotYours();
    error BadTerms();
    error TooMuch();
    error NotAccepted(address to);

    modifier exists(uint256 id) {
        if (_streams[id].payer == address(0)) revert NoStream();
        _;
    }

    function create(address payee, uint64 duration) external payable lock returns (uint256 id) {
        if (payee == address(0) || payee == address(this) || payee == msg.sender) revert BadTerms();
        if (duration == 0 || duration > 3650 days) revert BadTerms();
        if (msg.value < duration || msg.value > type(uint128).max) revert BadTerms();
        id = nextId++;
        uint64 start = uint64(block.timestamp);
        _streams[id] = Stream(msg.sender, payee, uint128(msg.value), 0, start, start + duration);
        emit Created(id, msg.sender, payee, msg.value, start + duration);
    }

    function earned(uint256 id) public view exists(id) returns (uint256) {
        Stream memory s = _streams[id];
        if (block.timestamp >= s.stop) return s.deposit;
        // start is never in the future, and stop is after start
        unchecked {
            return (uint256(s.deposit) * (block.timestamp - s.start)) / (s.stop - s.start);
        }
    }

    function drawable(uint256 id) public view returns (uint256) {
        return earned(id) - _streams[id].drawn;
    }

    function draw(uint256 id, uint256 amount) external exists(id) lock {
        Stream storage s = _streams[id];
        if (msg.sender != s.payee) revert NotYours();
        if (amount == 0 || amount > drawable(id)) revert TooMuch();
        s.drawn += uint128(amount);
        emit Drawn(id, amount);
        _pay(msg.sender, amount);
        if (s.drawn == s.deposit) delete _streams[id];
    }

    function cancel(uint256 id) external exists(id) lock {
        Stream memory s = _streams[id];
        if (msg.sender != s.payer) revert NotYours();
        uint256 toPayee = drawable(id);
        uint256 toPayer = s.deposit - s.drawn - toPayee;
        delete _streams[id];
        emit Cancelled(id, toPayee, toPayer);
        // a payee who accepts no ether cannot keep the payer from cancelling
        owedTo[s.payee] += toPayee;
        if (toPayer > 0) _pay(s.payer, toPayer);
    }

    /// @notice Pays what was earned of streams that were cancelled.
    function collect(address to) external lock {
        uint256 amount = owedTo[msg.sender];
        if (amount == 0) revert TooMuch();
        owedTo[msg.sender] = 0;
        _pay(to, amount);
    }

    function handOn(uint256 id, address to) external exists(id) lock {
        if (msg.sender != _streams[id].payee) revert NotYours();
        if (to == address(0) || to == _streams[id].payer) revert BadTerms();
        _streams[id].payee = to;
        emit HandedOn(id, to);
    }

    function streamOf(uint256 id) external view returns (Stream memory) {
        return _streams[id];
    }

    function _pay(address to, uint256 amount) private {
        (bool ok, ) = to.call{value: amount}("");
        if (!ok) revert NotAccepted(to);
    }
}
