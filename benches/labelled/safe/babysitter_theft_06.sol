// Sound: anyone may call collect, but the hash of the secret includes the caller, so that a copied secret opens nothing for another account.
pragma solidity 0.6.12;

/// Parents put the wages for an evening aside and tell the sitter a secret when they are
/// home again. The lock is keccak256(abi.encode(secret, sitter)), computed by the parents.
contract BabysitterWages {
    uint256 public constant KEPT_FOR = 30 days;

    struct Evening {
        uint256 wages;
        uint256 since;
        bool used;
    }

    mapping(address => mapping(bytes32 => Evening)) public evenings;
    mapping(address => uint256) public earnedBy;

    event SetAside(address indexed parent, bytes32 indexed lock, uint256 wages);
    event Tipped(address indexed parent, bytes32 indexed lock, uint256 tip);
    event Collected(address indexed parent, address indexed sitter, uint256 wages);
    event TakenBack(address indexed parent, bytes32 indexed lock, uint256 wages);

    function setAside(bytes32 lock) external payable {
        Evening storage evening = evenings[msg.sender][lock];
        require(msg.value > 0, "no wages");
        require(!evening.used, "a lock is used once");
        evening.used = true;
        evening.wages = msg.value;
        evening.since = now;
        emit SetAside(msg.sender, lock, msg.value);
    }

    function tip(bytes32 lock) external payable {
        Evening storage evening = evenings[msg.sender][lock];
        require(evening.wages > 0, "no such evening");
        evening.wages += msg.value;
        emit Tipped(msg.sender, lock, msg.value);
    }

    function collect(address parent, bytes32 secret) external {
        bytes32 lock = lockOf(secret, msg.sender);
        Evening storage evening = evenings[parent][lock];
        uint256 wages = evening.wages;
        require(wages > 0, "nothing for you");
        evening.wages = 0;
        earnedBy[msg.sender] += wages;
        emit Collected(parent, msg.sender, wages);
        msg.sender.transfer(wages);
    }

    /// Wages that no sitter fetched in a month go back to the parents.
    function takeBack(bytes32 lock) external {
        Evening storage evening = evenings[msg.sender][lock];
        uint256 wages = evening.wages;
        require(wages > 0, "nothing set aside");
        require(now >= evening.since + KEPT_FOR, "the sitter has time left");
        evening.wages = 0;
        emit TakenBack(msg.sender, lock, wages);
        msg.sender.transfer(wages);
    }

    function lockOf(bytes32 secret, address sitter) public pure returns (bytes32) {
        return keccak256(abi.encode(secret, sitter));
    }
}
