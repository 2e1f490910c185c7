// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Each campaign pays the grants that its issuer signed from its own funds.
contract SignedGrants {
    uint256 private constant HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0;
    bytes32 private constant GRANT = keccak256("Grant(uint256 id,address who,uint256 amount,uint256 nonce)");
    bytes32 private immutable domain =
        keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,uint256 chainId,address verifyingContract)"),
                keccak256("SignedGrants"),
                block.chainid,
                address(this)
            )
        );

    struct Campaign {
        address issuer;
        uint256 funds;
        uint256 paid;
    }

    uint256 public nextId;
    mapping(uint256 => Campaign) public campaigns;
    mapping(bytes32 => bool) public used;

    event Opened(uint256 indexed id, address indexed issuer, uint256 funds);
    event Granted(uint256 indexed id, address indexed who, uint256 amount);
    event Closed(uint256 indexed id, uint256 returned);

    function open() external payable returns (uint256 id) {
        id = nextId++;
        campaigns[id] = Campaign(msg.sender, msg.value, 0);
        emit Opened(id, msg.sender, msg.value);
    }

    function topUp(uint256 id) external payable {
        require(campaigns[id].issuer == msg.sender, "not the issuer");
        campaigns[id].funds += msg.value;
    }

    function digestOf(uint256 id, address who, uint256 amount, uint256 nonce) public view returns (bytes32) {
        bytes32 inner = keccak256(abi.encode(GRANT, id, who, amount, nonce));
        return keccak256(abi.encodePacked("\x19\x01", domain, inner));
    }

    function claim(uint256 id, uint256 amount, uint256 nonce, uint8 v, bytes32 r, bytes32 s) external {
        Campaign storage campaign = campaigns[id];
        bytes32 digest = digestOf(id, msg.sender, amount, nonce);
        require(!used[digest], "used");
        require(uint256(s) <= HALF_ORDER, "malleable");
        address signer = ecrecover(digest, v, r, s);
        require(signer != address(0) && signer == campaign.issuer, "not signed by the issuer");

        used[digest] = true;
        campaign.funds -= amount;
        campaign.paid += amount;
        emit Granted(id, msg.sender, amount);
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "not accepted");
    }

    function close(uint256 id) external {
        Campaign storage campaign = campaigns[id];
        require(msg.sender == campaign.issuer, "not the issuer");
        uint256 rest = campaign.funds;
        campaign.funds = 0;
        emit Closed(id, rest);
        payable(msg.sender).transfer(rest);
    }
}
