// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

abstract contract Pausing {
    address public pauser;
    bool public paused;

    event Paused(bool paused);

    constructor() {
        pauser = msg.sender;
    }

    modifier whenRunning() {
        require(!paused, "paused");
        _;
    }

    function setPaused(bool value) external {
        require(msg.sender == pauser, "pauser only");
        paused = value;
        emit Paused(value);
    }
}

/// @dev Nonces without a variable: they are kept where a mapping in slot 1 would have them.
abstract contract LeanNonces {
    uint256 private constant NONCES = 1;

    event NonceUsed(address indexed account, uint256 nonce);

    function nonces(address account) public view returns (uint256 value) {
        assembly {
            mstore(0x00, account)
            mstore(0x20, NONCES)
            value := sload(keccak256(0x00, 0x40))
        }
    }

    function _useNonce(address account) internal returns (uint256 value) {
        assembly {
            mstore(0x00, account)
            mstore(0x20, NONCES)
            let slot := keccak256(0x00, 0x40)
            value := sload(slot)
            sstore(slot, add(value, 1)) //~ ERROR slot-collision
        }
        emit NonceUsed(account, value);
    }
}

abstract contract TokenBase is Pausing {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    uint256 public totalSupply;

    event Transfer(address indexed from, address indexed to, uint256 amount);
    event Approval(address indexed holder, address indexed spender, uint256 amount);

    function approve(address spender, uint256 amount) external returns (bool) {
        _approve(msg.sender, spender, amount);
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        _transfer(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        _transfer(from, to, amount);
        return true;
    }

    function _approve(address holder, address spender, uint256 amount) internal {
        allowance[holder][spender] = amount;
        emit Approval(holder, spender, amount);
    }

    function _transfer(address from, address to, uint256 amount) internal whenRunning {
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        emit Transfer(from, to, amount);
    }
}

/// @title Token of a library: readers get credits from the librarian, and may revoke all that they signed
contract ReaderToken is TokenBase, LeanNonces {
    bytes32 private constant PERMIT_TYPEHASH =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");

    string public constant name = "Reader Credits";

    function issue(address to, uint256 amount) external {
        require(msg.sender == pauser, "librarian only");
        totalSupply += amount;
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    /// @notice Makes every signature that is not used yet worthless.
    function revokeSignatures() external {
        _useNonce(msg.sender);
    }

    function permit(address holder, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external
    {
        require(block.timestamp <= deadline, "expired");
        bytes32 structHash =
            keccak256(abi.encode(PERMIT_TYPEHASH, holder, spender, value, _useNonce(holder), deadline));
        address signer = ecrecover(keccak256(abi.encodePacked("\x19\x01", _domain(), structHash)), v, r, s);
        require(signer != address(0) && signer == holder, "signature");
        _approve(holder, spender, value);
    }

    function _domain() private view returns (bytes32) {
        return keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,uint256 chainId,address verifyingContract)"),
                keccak256(bytes(name)),
                block.chainid,
                address(this)
            )
        );
    }
}
