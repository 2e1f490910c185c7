pragma solidity ^0.5.0;

contract HashedTimelock {
    struct Lock {
        address payable sender;
        address payable receiver;
        uint256 amount;
        bytes32 hashlock;
        uint256 timelock;
        bool withdrawn;
        bool refunded;
    }

    mapping(bytes32 => Lock) public locks;

    event NewLock(bytes32 indexed id, address indexed sender, address indexed receiver, uint256 amount);
    event Withdrawn(bytes32 indexed id, bytes32 preimage);
    event Refunded(bytes32 indexed id);

    modifier exists(bytes32 id) {
        require(locks[id].sender != address(0), "unknown lock");
        _;
    }

    function newLock(address payable receiver, bytes32 hashlock, uint256 timelock)
        external
        payable
        returns (bytes32 id)
    {
        require(msg.value > 0, "empty");
        require(receiver != address(0), "receiver");
        require(timelock >= now + 1 hours && timelock <= now + 60 days, "timelock");
        id = keccak256(abi.encode(msg.sender, receiver, msg.value, hashlock, timelock));
        require(locks[id].sender == address(0), "exists");
        locks[id] = Lock(msg.sender, receiver, msg.value, hashlock, timelock, false, false);
        emit NewLock(id, msg.sender, receiver, msg.value);
    }

    function withdraw(bytes32 id, bytes32 preimage) external exists(id) {
        Lock storage l = locks[id];
        require(msg.sender == l.receiver, "receiver only");
        require(!l.withdrawn && !l.refunded, "closed");
        require(now < l.timelock, "expired");
        require(sha256(abi.encodePacked(preimage)) == l.hashlock, "preimage");
        l.withdrawn = true;
        l.receiver.transfer(l.amount);
        emit Withdrawn(id, preimage);
    }

    function refund(bytes32 id) external exists(id) {
        Lock storage l = locks[id];
        require(msg.sender == l.sender, "sender only");
        require(!l.withdrawn && !l.refunded, "closed");
        require(now >= l.timelock, "not expired");
        l.refunded = true;
        l.sender.transfer(l.amount);
        emit Refunded(id);
    }
}
