// Sound: the post itself calls nobody with ether, but each gift leaves it at once as the endowment of a new envelope, from which the recipient or, later, the giver takes it; the calendar refuses only months that do not exist.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title When months begin, counted from the start of the post
contract GiftCalendar {
    uint256 public constant MONTH = 30 days;

    function startOf(uint8 month, uint256 epoch) external pure returns (uint256) {
        require(month >= 1 && month <= 12, "no such month");
        return epoch + (uint256(month) - 1) * MONTH;
    }
}

/// @title A gift that can be opened at a certain time
contract Envelope {
    uint256 public constant KEPT_FOR = 365 days;

    address public immutable giver;
    address public immutable recipient;
    uint256 public immutable opensAt;
    string public note;

    event Opened(address indexed by, uint256 amount);

    constructor(address giver_, address recipient_, uint256 opensAt_, string memory note_) payable {
        giver = giver_;
        recipient = recipient_;
        opensAt = opensAt_;
        note = note_;
    }

    function open() external {
        require(msg.sender == recipient, "not for you");
        require(block.timestamp >= opensAt, "too early");
        _empty(recipient);
    }

    /// @notice A gift that was not opened for a year may go back.
    function takeBack() external {
        require(msg.sender == giver, "not from you");
        require(block.timestamp >= opensAt + KEPT_FOR, "the recipient may still open it");
        _empty(giver);
    }

    function _empty(address to) private {
        uint256 amount = address(this).balance;
        require(amount > 0, "empty");
        emit Opened(to, amount);
        (bool ok,) = to.call{value: amount}("");
        require(ok, "not accepted");
    }
}

/// @title Post that puts gifts into envelopes
contract GiftPost {
    GiftCalendar public immutable calendar;
    uint256 public immutable epoch;
    uint256 public constant SMALLEST = 1 gwei;

    mapping(address => Envelope[]) private received;
    mapping(address => uint256) public givenBy;
    mapping(address => bool) public refusesGifts;
    uint256 public total;

    event Given(address indexed giver, address indexed recipient, Envelope envelope, uint256 amount);

    constructor() {
        calendar = new GiftCalendar();
        epoch = block.timestamp;
    }

    function setRefuses(bool refuses) external {
        refusesGifts[msg.sender] = refuses;
    }

    function give(address recipient, uint8 month, string calldata note)
        external
        payable
        returns (Envelope envelope)
    {
        require(recipient != address(0) && recipient != address(this), "recipient");
        require(!refusesGifts[recipient], "wants no gifts");
        require(msg.value >= SMALLEST, "too small");
        uint256 opensAt = calendar.startOf(month, epoch);
        envelope = new Envelope{value: msg.value}(msg.sender, recipient, opensAt, note);
        received[recipient].push(envelope);
        givenBy[msg.sender] += msg.value;
        total += msg.value;
        emit Given(msg.sender, recipient, envelope, msg.value);
    }

    function giftsOf(address recipient) external view returns (uint256) {
        return received[recipient].length;
    }

    function giftAt(address recipient, uint256 index) external view returns (Envelope) {
        require(index < received[recipient].length, "no such gift");
        return received[recipient][index];
    }
}
