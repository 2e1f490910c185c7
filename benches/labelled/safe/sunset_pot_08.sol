// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Collects donations and is dissolved at the end, after a notice.
contract SunsetPot {
    uint256 public constant NOTICE = 7 days;

    address public owner = msg.sender;
    address public pendingOwner;
    address public guardian = msg.sender;
    uint256 public announcedAt;
    address payable public beneficiary;
    mapping(address => uint256) public donated;
    uint256 public donors;

    event Donated(address indexed who, uint256 amount);
    event Announced(address indexed beneficiary, uint256 at);
    event Vetoed(address indexed guardian);
    event OwnershipOffered(address indexed next);
    event OwnershipAccepted(address indexed next);

    modifier onlyOwner() {
        require(msg.sender == owner, "not the owner");
        _;
    }

    modifier afterNotice() {
        require(announcedAt != 0, "not announced");
        require(block.timestamp >= announcedAt + NOTICE, "notice not over");
        _;
    }

    receive() external payable {
        _donate();
    }

    function donate() external payable {
        _donate();
    }

    function setGuardian(address next) external onlyOwner {
        require(next != address(0), "nobody");
        guardian = next;
    }

    function announce(address payable to) external onlyOwner {
        require(to != address(0), "nobody");
        beneficiary = to;
        announcedAt = block.timestamp;
        emit Announced(to, block.timestamp);
    }

    function veto() external {
        require(msg.sender == guardian || msg.sender == owner, "may not veto");
        announcedAt = 0;
        beneficiary = payable(address(0));
        emit Vetoed(msg.sender);
    }

    function dissolve() external onlyOwner afterNotice {
        selfdestruct(beneficiary);
    }

    function offerOwnership(address next) external onlyOwner {
        pendingOwner = next;
        emit OwnershipOffered(next);
    }

    function acceptOwnership() external {
        require(msg.sender == pendingOwner, "not offered");
        owner = msg.sender;
        pendingOwner = address(0);
        emit OwnershipAccepted(msg.sender);
    }

    function _donate() private {
        require(msg.value > 0, "nothing");
        if (donated[msg.sender] == 0) donors++;
        donated[msg.sender] += msg.value;
        emit Donated(msg.sender, msg.value);
    }
}
