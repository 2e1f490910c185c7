// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @dev Typed data of the purse (EIP-712).
abstract contract Typed {
    bytes32 private immutable _separator;

    constructor(string memory name) {
        _separator = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,uint256 chainId,address verifyingContract)"),
                keccak256(bytes(name)),
                block.chainid,
                address(this)
            )
        );
    }

    function _digest(bytes32 structHash) internal view returns (bytes32) {
        return keccak256(abi.encodePacked("\x19\x01", _separator, structHash));
    }
}

/// @title Purses for games
/// @notice A player pays in and lets a key in the browser spend from the purse, so that not every move needs the wallet.
contract ArcadePurses is Typed {
    bytes32 private constant SPEND_TYPEHASH =
        keccak256("Spend(address player,address to,uint256 amount,uint256 nonce,uint256 deadline)");

    uint256 private constant HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0;

    struct Signature {
        uint8 v;
        bytes32 r;
        bytes32 s;
    }

    mapping(address => uint256) public purseOf;
    mapping(address => address) public sessionKeyOf;
    mapping(address => uint256) public nonceOf;

    event Filled(address indexed player, uint256 amount);
    event Emptied(address indexed player, uint256 amount);
    event SessionKeySet(address indexed player, address indexed key);
    event Spent(address indexed player, address indexed to, uint256 amount);

    error Expired();
    error BadSignature();
    error NotAccepted();

    constructor() Typed("Arcade Purses") {}

    function fill() external payable {
        purseOf[msg.sender] += msg.value;
        emit Filled(msg.sender, msg.value);
    }

    function empty(uint256 amount) external {
        purseOf[msg.sender] -= amount;
        emit Emptied(msg.sender, amount);
        _pay(msg.sender, amount);
    }

    /// @notice Zero ends the session.
    function setSessionKey(address key) external {
        sessionKeyOf[msg.sender] = key;
        nonceOf[msg.sender]++;
        emit SessionKeySet(msg.sender, key);
    }

    function spend(address player, address to, uint256 amount, uint256 deadline, Signature calldata signature)
        external
    {
        if (block.timestamp > deadline) revert Expired();
        bytes32 digest =
            _digest(keccak256(abi.encode(SPEND_TYPEHASH, player, to, amount, nonceOf[player]++, deadline)));
        if (uint256(signature.s) > HALF_ORDER) revert BadSignature();
        address signer = ecrecover(digest, signature.v, signature.r, signature.s);
        if (signer == address(0) || signer != sessionKeyOf[player]) revert BadSignature();
        purseOf[player] -= amount;
        emit Spent(player, to, amount);
        _pay(to, amount);
    }

    function _pay(address to, uint256 amount) private {
        (bool ok, ) = to.call{value: amount}("");
        if (!ok) revert NotAccepted();
    }
}
