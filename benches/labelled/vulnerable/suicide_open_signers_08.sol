// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
// Exploit: two accounts of the attacker join as signers (open sign-up), both approve, one calls dissolve() and gets the ether.
contract OpenSociety {
    uint256 public constant QUORUM = 2;

    mapping(address => bool) public isSigner;
    mapping(address => bool) public approved;
    uint256 public approvals;
    uint256 public funds;

    event Joined(address indexed signer);

    constructor() {
        isSigner[msg.sender] = true;
    }

    modifier onlySigner() {
        require(isSigner[msg.sender], "signers only");
        _;
    }

    function donate() external payable {
        funds += msg.value;
    }

    function join() external {
        require(!isSigner[msg.sender], "already");
        isSigner[msg.sender] = true;
        emit Joined(msg.sender);
    }

    function approve() external onlySigner {
        require(!approved[msg.sender], "approved");
        approved[msg.sender] = true;
        approvals += 1;
    }

    function dissolve() external onlySigner {
        require(approvals >= QUORUM, "quorum");
        selfdestruct(payable(msg.sender)); //~ ERROR self-destruct
    }
}
