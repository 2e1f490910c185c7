// SPDX-License-Identifier: MIT
pragma solidity ^0.6.0;

/// Petty cash of a company. Each team has a signer, who signs vouchers off the
/// chain; whoever holds a voucher cashes it here.
library Signatures {
    function toEthSignedMessageHash(bytes32 hash) internal pure returns (bytes32) {
        return keccak256(abi.encodePacked("\x19Ethereum Signed Message:\n32", hash));
    }

    function recover(bytes32 hash, uint8 v, bytes32 r, bytes32 s) internal pure returns (address) {
        // the upper half of the curve would allow a second signature
        require(uint256(s) <= 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0, "bad s");
        return ecrecover(hash, v, r, s);
    }
}

contract PettyCash {
    using Signatures for bytes32;

    struct Team {
        address signer;
        uint256 limit; // for one voucher, 0 is none
        uint256 spent;
    }

    address public immutable treasurer;
    mapping(uint256 => Team) public teams;
    mapping(bytes32 => bool) public cashed;

    event TeamSet(uint256 indexed team, address signer, uint256 limit);
    event Funded(address indexed from, uint256 value);
    event Cashed(uint256 indexed team, address indexed to, uint256 value, bytes32 voucher);

    modifier onlyTreasurer() {
        require(msg.sender == treasurer, "treasurer only");
        _;
    }

    constructor(address firstSigner, uint256 limit) public {
        require(firstSigner != address(0), "no signer");
        treasurer = msg.sender;
        teams[1] = Team(firstSigner, limit, 0);
        emit TeamSet(1, firstSigner, limit);
    }

    receive() external payable {
        emit Funded(msg.sender, msg.value);
    }

    function setTeam(uint256 id, address signer, uint256 limit) external onlyTreasurer {
        require(signer != address(0), "no signer");
        teams[id].signer = signer;
        teams[id].limit = limit;
        emit TeamSet(id, signer, limit);
    }

    function voucherHash(uint256 team, address to, uint256 value, uint256 number) public view returns (bytes32) {
        return keccak256(abi.encode(address(this), team, to, value, number));
    }

    function cash(uint256 team, uint256 value, uint256 number, uint8 v, bytes32 r, bytes32 s) external {
        bytes32 voucher = voucherHash(team, msg.sender, value, number);
        require(!cashed[voucher], "cashed already");
        Team storage t = teams[team];
        require(voucher.toEthSignedMessageHash().recover(v, r, s) == t.signer, "not signed");
        require(t.limit == 0 || value <= t.limit, "above the limit");
        require(value <= address(this).balance, "not enough cash");
        cashed[voucher] = true;
        t.spent += value;
        msg.sender.transfer(value); //~ ERROR ether-theft
        emit Cashed(team, msg.sender, value, voucher);
    }

    function withdraw(uint256 value) external onlyTreasurer {
        msg.sender.transfer(value);
    }
}
