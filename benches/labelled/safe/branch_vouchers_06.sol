// SPDX-License-Identifier: MIT
pragma solidity ^0.6.0;

/// Vouchers of the branches of a company, signed off the chain by the branch.
library Recovery {
    function signedHash(bytes32 hash) internal pure returns (bytes32) {
        return keccak256(abi.encodePacked("\x19Ethereum Signed Message:\n32", hash));
    }

    function recover(bytes32 hash, uint8 v, bytes32 r, bytes32 s) internal pure returns (address signer) {
        require(uint256(s) <= 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0, "bad s");
        require(v == 27 || v == 28, "bad v");
        signer = ecrecover(hash, v, r, s);
        require(signer != address(0), "bad signature");
    }
}

contract BranchVouchers {
    using Recovery for bytes32;

    struct Branch {
        address signer;
        uint256 limit;
        uint256 spent;
    }

    address public immutable headOffice;
    mapping(uint256 => Branch) public branches;
    mapping(bytes32 => bool) public cashed;

    event BranchSet(uint256 indexed branch, address signer, uint256 limit);
    event Funded(address indexed from, uint256 value);
    event Cashed(uint256 indexed branch, address indexed to, uint256 value);

    modifier onlyHeadOffice() {
        require(msg.sender == headOffice, "head office only");
        _;
    }

    constructor() public {
        headOffice = msg.sender;
    }

    receive() external payable {
        emit Funded(msg.sender, msg.value);
    }

    function setBranch(uint256 id, address signer, uint256 limit) external onlyHeadOffice {
        branches[id].signer = signer;
        branches[id].limit = limit;
        emit BranchSet(id, signer, limit);
    }

    function voucherHash(uint256 branch, address to, uint256 value, uint256 number) public view returns (bytes32) {
        return keccak256(abi.encode(address(this), branch, to, value, number));
    }

    function cash(uint256 branch, uint256 value, uint256 number, uint8 v, bytes32 r, bytes32 s) external {
        bytes32 voucher = voucherHash(branch, msg.sender, value, number);
        require(!cashed[voucher], "cashed already");
        Branch storage b = branches[branch];
        require(voucher.signedHash().recover(v, r, s) == b.signer, "not signed");
        require(value <= b.limit && b.spent <= b.limit - value, "above the limit");
        cashed[voucher] = true;
        b.spent += value;
        msg.sender.transfer(value);
        emit Cashed(branch, msg.sender, value);
    }

    function withdraw(uint256 value) external onlyHeadOffice {
        msg.sender.transfer(value);
    }
}
