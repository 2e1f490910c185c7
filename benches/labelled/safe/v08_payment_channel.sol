// By design: the receiver closes a channel with the sender's signature, after expiry the sender may take all back.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract PaymentChannels {
    uint256 private constant HALF_ORDER = 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0;
    bytes32 private constant TYPEHASH = keccak256("Payment(uint256 id,uint256 amount)");

    struct Channel {
        address sender;
        address receiver;
        uint256 deposit;
        uint256 expiresAt;
    }

    uint256 public count;
    mapping(uint256 => Channel) public channels;
    mapping(address => uint256) public credit;

    event Opened(uint256 indexed id, address indexed sender, address indexed receiver, uint256 deposit);
    event Closed(uint256 indexed id, uint256 paid, uint256 returned);
    event Extended(uint256 indexed id, uint256 expiresAt);

    function open(address receiver, uint256 duration) external payable returns (uint256 id) {
        require(msg.value > 0 && receiver != address(0), "channel");
        require(duration >= 1 days && duration <= 365 days, "duration");
        id = ++count;
        channels[id] = Channel(msg.sender, receiver, msg.value, block.timestamp + duration);
        emit Opened(id, msg.sender, receiver, msg.value);
    }

    function extend(uint256 id, uint256 more) external {
        Channel storage c = channels[id];
        require(msg.sender == c.sender, "sender only");
        require(more <= 365 days, "duration");
        c.expiresAt += more;
        emit Extended(id, c.expiresAt);
    }

    function digest(uint256 id, uint256 amount) public view returns (bytes32) {
        bytes32 domain = keccak256(abi.encode("PaymentChannels", block.chainid, address(this)));
        return keccak256(abi.encodePacked("\x19\x01", domain, keccak256(abi.encode(TYPEHASH, id, amount))));
    }

    function close(uint256 id, uint256 amount, uint8 v, bytes32 r, bytes32 s) external {
        Channel memory c = channels[id];
        require(c.receiver != address(0) && msg.sender == c.receiver, "receiver only");
        require(amount <= c.deposit, "amount");
        require(uint256(s) <= HALF_ORDER, "malleable");
        address signer = ecrecover(digest(id, amount), v, r, s);
        require(signer != address(0) && signer == c.sender, "signature");
        delete channels[id];
        credit[c.receiver] += amount;
        credit[c.sender] += c.deposit - amount;
        emit Closed(id, amount, c.deposit - amount);
    }

    function reclaim(uint256 id) external {
        Channel memory c = channels[id];
        require(msg.sender == c.sender, "sender only");
        require(block.timestamp >= c.expiresAt, "running");
        delete channels[id];
        credit[c.sender] += c.deposit;
        emit Closed(id, 0, c.deposit);
    }

    function withdraw() external {
        uint256 amount = credit[msg.sender];
        require(amount > 0, "nothing");
        credit[msg.sender] = 0;
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok, "payment failed");
    }
}
