pragma solidity ^0.5.0;

contract EtherGrants {
    struct Grant {
        address payable funder;
        address payable beneficiary;
        uint256 total;
        uint256 released;
        uint256 start;
        uint32 duration;
        bool revoked;
    }

    address public registrar;
    uint256 public grantCount;
    mapping(uint256 => Grant) public grants;
    mapping(address => uint256) public openGrants;

    event Granted(uint256 indexed id, address indexed beneficiary, uint256 total);
    event Released(uint256 indexed id, uint256 amount);
    event Revoked(uint256 indexed id, uint256 refund);

    constructor(address _registrar) public {
        registrar = _registrar;
    }

    function grant(address payable beneficiary, uint32 duration) external payable returns (uint256 id) {
        require(beneficiary != address(0), "no beneficiary");
        require(msg.value > 0, "no ether");
        id = grantCount++;
        grants[id] = Grant(msg.sender, beneficiary, msg.value, 0, now, duration, false);
        openGrants[beneficiary] += 1;
        emit Granted(id, beneficiary, msg.value);
    }

    function vested(uint256 id) public view returns (uint256) {
        Grant storage g = grants[id];
        if (now >= g.start + g.duration) {
            return g.total;
        }
        return (g.total * (now - g.start)) / g.duration;
    }

    function releasable(uint256 id) public view returns (uint256) {
        Grant storage g = grants[id];
        uint256 amount = vested(id);
        return amount <= g.released ? 0 : amount - g.released;
    }

    function release(uint256 id) external {
        Grant storage g = grants[id];
        require(msg.sender == g.beneficiary || msg.sender == registrar, "not allowed");
        require(!g.revoked, "revoked");
        uint256 amount = releasable(id);
        require(amount > 0, "nothing to release");
        (bool ok, ) = g.beneficiary.call.value(amount)(""); //~ ERROR reentrancy
        require(ok, "payment failed");
        g.released += amount;
        emit Released(id, amount);
    }

    function revoke(uint256 id) external {
        Grant storage g = grants[id];
        require(msg.sender == g.funder, "funder only");
        require(!g.revoked, "revoked");
        uint256 due = vested(id);
        require(due >= g.released, "books");
        uint256 refund = g.total - due;
        uint256 rest = due - g.released;
        g.revoked = true;
        g.released = due;
        openGrants[g.beneficiary] -= 1;
        emit Revoked(id, refund);
        g.funder.transfer(refund);
        g.beneficiary.transfer(rest);
    }
}
