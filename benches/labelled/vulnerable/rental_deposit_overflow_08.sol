// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Deposits of tenants
/// @notice A landlord offers a lease, the tenant signs it with the deposit, and when
///         the lease has ended what was damaged is deducted from the deposit.
contract RentalDeposits {
    enum Status {
        None,
        Offered,
        Signed,
        Ended,
        Settled
    }

    struct Lease {
        address landlord;
        address tenant;
        uint256 deposit;
        uint256 deductions;
        uint64 endsAt;
        Status status;
    }

    uint256 public constant CLAIM_TIME = 14 days;

    mapping(uint256 => Lease) public leases;
    uint256 public leaseCount;
    mapping(address => uint256) public credit;

    event Offered(uint256 indexed id, address indexed landlord, address indexed tenant);
    event Signed(uint256 indexed id);
    event Damage(uint256 indexed id, uint256 amount, string what);
    event Settled(uint256 indexed id, uint256 refund, uint256 deductions);

    modifier onlyLandlord(uint256 id) {
        require(msg.sender == leases[id].landlord, "not the landlord");
        _;
    }

    function offer(address tenant, uint96 deposit, uint32 duration) external returns (uint256 id) {
        require(tenant != address(0) && deposit > 0, "terms");
        id = ++leaseCount;
        leases[id] =
            Lease(msg.sender, tenant, deposit, 0, uint64(block.timestamp) + duration, Status.Offered);
        emit Offered(id, msg.sender, tenant);
    }

    function sign(uint256 id) external payable {
        Lease storage lease = leases[id];
        require(lease.status == Status.Offered, "not on offer");
        require(msg.sender == lease.tenant, "not the tenant");
        require(msg.value == lease.deposit, "the deposit");
        lease.status = Status.Signed;
        emit Signed(id);
    }

    function moveOut(uint256 id) external {
        Lease storage lease = leases[id];
        require(lease.status == Status.Signed, "not signed");
        require(msg.sender == lease.tenant || block.timestamp >= lease.endsAt, "still running");
        lease.status = Status.Ended;
        lease.endsAt = uint64(block.timestamp);
    }

    /// @notice No single item can cost more than the deposit.
    function reportDamage(uint256 id, uint256 amount, string calldata what) external onlyLandlord(id) {
        Lease storage lease = leases[id];
        require(lease.status == Status.Ended, "not ended");
        require(amount > 0 && amount <= lease.deposit, "more than the deposit");
        lease.deductions += amount;
        emit Damage(id, amount, what);
    }

    function settle(uint256 id) external {
        Lease storage lease = leases[id];
        require(lease.status == Status.Ended, "not ended");
        require(
            msg.sender == lease.landlord || block.timestamp > uint256(lease.endsAt) + CLAIM_TIME,
            "the landlord may still claim"
        );
        lease.status = Status.Settled;
        uint256 refund;
        unchecked {
            refund = lease.deposit - lease.deductions; //~ ERROR overflow
        }
        credit[lease.tenant] += refund;
        credit[lease.landlord] += lease.deposit < lease.deductions ? lease.deposit : lease.deductions;
        emit Settled(id, refund, lease.deductions);
    }

    function withdraw(uint256 amount) external {
        credit[msg.sender] -= amount;
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok, "not accepted");
    }
}
