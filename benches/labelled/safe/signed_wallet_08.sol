// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

library Signatures {
    uint256 private constant HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0;

    function signerOf(bytes32 digest, uint8 v, bytes32 r, bytes32 s) internal pure returns (address signer) {
        require(uint256(s) <= HALF_ORDER, "malleable signature");
        signer = ecrecover(digest, v, r, s);
        require(signer != address(0), "bad signature");
    }
}

abstract contract Multicall {
    /// Not payable: no call of a batch may count the same ether again.
    function multicall(bytes[] calldata calls) external returns (bytes[] memory results) {
        results = new bytes[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            (bool success, bytes memory result) = address(this).delegatecall(calls[i]);
            if (!success) {
                assembly {
                    revert(add(result, 0x20), mload(result))
                }
            }
            results[i] = result;
        }
    }
}

/// Ether of many people, spent by their own calls or by vouchers that they signed.
contract SignedWallet is Multicall {
    bytes32 private constant VOUCHER_TYPEHASH =
        keccak256("Voucher(address owner,address payee,uint256 amount,uint256 nonce,uint256 deadline)");

    mapping(address => uint256) public balanceOf;
    mapping(address => address) public delegateOf;
    mapping(address => uint256) public nonceOf;

    event Deposited(address indexed owner, uint256 amount);
    event Spent(address indexed owner, address indexed payee, uint256 amount);
    event Delegated(address indexed owner, address indexed delegate);

    function domain() public view returns (bytes32) {
        return keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,uint256 chainId,address verifyingContract)"),
                keccak256("SignedWallet"),
                block.chainid,
                address(this)
            )
        );
    }

    function deposit() external payable {
        require(msg.value > 0, "nothing sent");
        balanceOf[msg.sender] += msg.value;
        emit Deposited(msg.sender, msg.value);
    }

    function setDelegate(address delegate) external {
        delegateOf[msg.sender] = delegate;
        emit Delegated(msg.sender, delegate);
    }

    function cancelVouchers() external {
        nonceOf[msg.sender] += 1;
    }

    function spend(address payable payee, uint256 amount) external {
        _spend(msg.sender, payee, amount);
    }

    function redeem(
        address owner,
        address payable payee,
        uint256 amount,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        require(block.timestamp <= deadline, "expired");
        uint256 nonce = nonceOf[owner];
        nonceOf[owner] = nonce + 1;
        bytes32 inner = keccak256(abi.encode(VOUCHER_TYPEHASH, owner, payee, amount, nonce, deadline));
        address signer = Signatures.signerOf(keccak256(abi.encodePacked("\x19\x01", domain(), inner)), v, r, s);
        require(signer == owner || signer == delegateOf[owner], "not signed by the owner");
        _spend(owner, payee, amount);
    }

    function _spend(address owner, address payable payee, uint256 amount) private {
        require(payee != address(0), "no payee");
        require(amount > 0 && amount <= balanceOf[owner], "not enough");
        balanceOf[owner] -= amount;
        emit Spent(owner, payee, amount);
        (bool success,) = payee.call{value: amount}("");
        require(success, "payment refused");
    }
}
