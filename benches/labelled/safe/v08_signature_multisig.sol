// By design: whoever brings the signatures of a majority of owners may have the wallet call anything.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract SignatureMultisig {
    bytes32 private constant TYPEHASH =
        keccak256("Execute(address to,uint256 value,bytes32 dataHash,uint256 nonce,uint256 deadline)");

    mapping(address => bool) public isOwner;
    uint256 public ownerCount;
    uint256 public nonce;

    event Received(address indexed from, uint256 amount);
    event Executed(uint256 indexed nonce, address indexed to, uint256 value);
    event OwnerChanged(address indexed owner, bool added);

    constructor(address[] memory others) {
        _add(msg.sender);
        for (uint256 i; i < others.length; ++i) {
            if (others[i] != address(0) && !isOwner[others[i]]) _add(others[i]);
        }
    }

    receive() external payable {
        emit Received(msg.sender, msg.value);
    }

    function threshold() public view returns (uint256) {
        return ownerCount / 2 + 1;
    }

    function hashOf(address to, uint256 value, bytes calldata data, uint256 nonce_, uint256 deadline)
        public
        view
        returns (bytes32)
    {
        bytes32 domain = keccak256(abi.encode(block.chainid, address(this)));
        bytes32 body = keccak256(abi.encode(TYPEHASH, to, value, keccak256(data), nonce_, deadline));
        return keccak256(abi.encodePacked("\x19\x01", domain, body));
    }

    /// signatures (65 bytes each) ordered by the signer's address, so none counts twice
    function execute(address to, uint256 value, bytes calldata data, uint256 deadline, bytes calldata signatures)
        external
        returns (bytes memory)
    {
        require(block.timestamp <= deadline, "expired");
        uint256 used = nonce++;
        bytes32 hash = hashOf(to, value, data, used, deadline);
        uint256 needed = threshold();
        require(signatures.length == needed * 65, "signature count");

        address last = address(0);
        for (uint256 i; i < needed; ++i) {
            bytes calldata s = signatures[i * 65:(i + 1) * 65];
            address signer = ecrecover(hash, uint8(s[64]), bytes32(s[0:32]), bytes32(s[32:64]));
            require(signer > last && isOwner[signer], "signature");
            last = signer;
        }

        (bool ok, bytes memory result) = to.call{value: value}(data);
        require(ok, "call failed");
        emit Executed(used, to, value);
        return result;
    }

    function addOwner(address owner) external {
        require(msg.sender == address(this), "wallet only");
        require(owner != address(0) && !isOwner[owner], "owner");
        _add(owner);
    }

    function removeOwner(address owner) external {
        require(msg.sender == address(this), "wallet only");
        require(isOwner[owner] && ownerCount > 1, "owner");
        isOwner[owner] = false;
        ownerCount -= 1;
        emit OwnerChanged(owner, false);
    }

    function _add(address owner) private {
        isOwner[owner] = true;
        ownerCount += 1;
        emit OwnerChanged(owner, true);
    }
}
