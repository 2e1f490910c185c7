// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Ether of many people, who let the bearer of a signed voucher draw on it.
/// The key that signs vouchers is a session key, so that the main key can stay offline.
contract SessionVault {
    struct Account {
        uint256 balance;
        address sessionKey;
        uint64 nonce;
        bool exists;
    }

    bytes32 private constant VOUCHER_TYPEHASH =
        keccak256("Voucher(address account,address payee,uint256 amount,uint256 nonce)");

    bytes32 public immutable domain;
    mapping(address => Account) private accounts;

    event Deposited(address indexed account, uint256 amount);
    event SessionStarted(address indexed account, address indexed key);
    event SessionEnded(address indexed account);
    event Drawn(address indexed account, address indexed payee, uint256 amount);
    event Closed(address indexed account, address indexed to, uint256 amount);

    constructor() {
        domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,uint256 chainId,address verifyingContract)"),
                keccak256("SessionVault"),
                block.chainid,
                address(this)
            )
        );
    }

    function accountOf(address owner) external view returns (Account memory) {
        return accounts[owner];
    }

    function deposit() external payable {
        require(msg.value > 0, "nothing sent");
        Account storage account = accounts[msg.sender];
        account.exists = true;
        account.balance += msg.value;
        emit Deposited(msg.sender, msg.value);
    }

    function startSession(address key) external {
        require(accounts[msg.sender].exists, "no account");
        require(key != address(0), "no key");
        accounts[msg.sender].sessionKey = key;
        emit SessionStarted(msg.sender, key);
    }

    function endSession() external {
        accounts[msg.sender].sessionKey = address(0);
        emit SessionEnded(msg.sender);
    }

    function voucherHash(address owner, address payee, uint256 amount, uint256 nonce) public view returns (bytes32) {
        bytes32 inner = keccak256(abi.encode(VOUCHER_TYPEHASH, owner, payee, amount, nonce));
        return keccak256(abi.encodePacked("\x19\x01", domain, inner));
    }

    function draw(address owner, uint256 amount, uint8 v, bytes32 r, bytes32 s) external {
        Account storage account = accounts[owner];
        require(account.exists, "no account");
        require(amount > 0 && amount <= account.balance, "not enough");
        bytes32 digest = voucherHash(owner, msg.sender, amount, account.nonce);
        require(ecrecover(digest, v, r, s) == account.sessionKey, "bad voucher");
        account.nonce += 1;
        account.balance -= amount;
        emit Drawn(owner, msg.sender, amount);
        payable(msg.sender).transfer(amount); //~ ERROR ether-theft
    }

    /// Forwarders may call this for the owner who signs the transaction.
    function close(address payable to) external {
        Account storage account = accounts[tx.origin];
        uint256 amount = account.balance;
        require(amount > 0, "nothing left");
        account.balance = 0;
        account.sessionKey = address(0);
        emit Closed(tx.origin, to, amount);
        to.transfer(amount); //~ ERROR ether-theft
    }
}
