pragma solidity ^0.5.0;

contract HandleRegistry {
    struct Handle {
        address payable holder;
        uint64 since;
        uint256 bond;
    }

    address public operator;
    bytes32 public salt;
    uint256 public handleCount;
    mapping(uint64 => Handle) public handles;
    mapping(bytes4 => uint64) public shortcuts;
    mapping(address => bytes4) public colourOf;

    event Taken(uint64 indexed id, address indexed holder, string name);
    event Given(uint64 indexed id, address indexed to);
    event Released(uint64 indexed id, uint256 bond);

    modifier onlyHolder(uint64 id) {
        require(handles[id].holder == msg.sender, "not your handle");
        _;
    }

    constructor(bytes32 _salt) public {
        operator = msg.sender;
        salt = _salt;
    }

    function idOf(string memory name) public view returns (uint64) {
        return uint64(uint256(keccak256(abi.encodePacked(salt, name))));
    }

    function shortcutOf(string memory name) public pure returns (bytes4) {
        return bytes4(keccak256(bytes(name)));
    }

    function take(string calldata name) external payable returns (uint64 id) {
        require(bytes(name).length > 0 && bytes(name).length <= 32, "name");
        id = idOf(name);
        require(handles[id].holder == address(0), "taken");
        handles[id] = Handle(msg.sender, uint64(now), msg.value);
        handleCount += 1;
        bytes4 shortcut = shortcutOf(name);
        if (shortcuts[shortcut] == 0) {
            shortcuts[shortcut] = id;
        }
        emit Taken(id, msg.sender, name);
    }

    function give(uint64 id, address payable to) external onlyHolder(id) {
        require(to != address(0), "no receiver");
        handles[id].holder = to;
        handles[id].since = uint64(now);
        emit Given(id, to);
    }

    function release(uint64 id) external onlyHolder(id) {
        uint256 bond = handles[id].bond;
        delete handles[id];
        handleCount -= 1;
        emit Released(id, bond);
        msg.sender.transfer(bond);
    }

    function paint() external {
        colourOf[msg.sender] = bytes4(keccak256(abi.encodePacked(salt, msg.sender)));
    }

    function agentNumber(address who) external view returns (uint32) {
        return uint32(uint256(keccak256(abi.encodePacked(operator, who))));
    }
}
