// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Sponsors pay in, and signed vouchers of the campaigns are paid from it.
contract VoucherBank {
    struct Campaign {
        address issuer;
        uint64 endsAt; // 0: never
        uint256 cap; // 0: none
        uint256 spent;
    }

    address public owner = msg.sender;
    uint256 public sponsored;
    mapping(uint256 => Campaign) public campaigns;
    mapping(uint256 => mapping(uint256 => bool)) public nonceUsed;
    mapping(address => uint256) public sponsorOf;

    event Opened(uint256 indexed id, address issuer, uint256 cap);
    event Sponsored(address indexed who, uint256 amount);
    event Paid(uint256 indexed id, address indexed who, uint256 amount);

    modifier onlyOwner() {
        require(msg.sender == owner, "not the owner");
        _;
    }

    function sponsor() external payable {
        sponsored += msg.value;
        sponsorOf[msg.sender] += msg.value;
        emit Sponsored(msg.sender, msg.value);
    }

    function open(uint256 id, address issuer, uint64 endsAt, uint256 cap) external onlyOwner {
        require(issuer != address(0), "no issuer");
        require(campaigns[id].issuer == address(0), "taken");
        campaigns[id] = Campaign(issuer, endsAt, cap, 0);
        emit Opened(id, issuer, cap);
    }

    function digestOf(uint256 id, address who, uint256 amount, uint256 nonce) public view returns (bytes32) {
        bytes32 inner = keccak256(abi.encode(block.chainid, address(this), id, who, amount, nonce));
        return keccak256(abi.encodePacked("\x19Ethereum Signed Message:\n32", inner));
    }

    function redeem(uint256 id, uint256 amount, uint256 nonce, uint8 v, bytes32 r, bytes32 s) external {
        Campaign storage campaign = campaigns[id];
        require(campaign.endsAt == 0 || block.timestamp <= campaign.endsAt, "over");
        require(campaign.cap == 0 || campaign.spent + amount <= campaign.cap, "campaign spent");
        require(!nonceUsed[id][nonce], "voucher used");
        address signer = ecrecover(digestOf(id, msg.sender, amount, nonce), v, r, s);
        require(signer == campaign.issuer, "not signed by the issuer");

        nonceUsed[id][nonce] = true;
        campaign.spent += amount;
        emit Paid(id, msg.sender, amount);
        (bool ok, ) = msg.sender.call{value: amount}(""); //~ ERROR ether-theft
        require(ok, "not accepted");
    }

    function close(address payable to) external onlyOwner {
        (bool ok, ) = to.call{value: address(this).balance}("");
        require(ok, "not accepted");
    }

    function transferOwnership(address next) external onlyOwner {
        require(next != address(0), "nobody");
        owner = next;
    }
}
