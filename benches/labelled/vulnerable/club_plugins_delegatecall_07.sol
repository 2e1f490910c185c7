// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

/// A roster of club members whose features come as plugins. A plugin works on
/// the storage of the roster; each name can be taken once.
contract ClubPlugins {
    struct Plugin {
        address code;
        address author;
        uint256 runs;
    }

    address public secretary;
    uint256 public memberCount;
    mapping(address => bool) public isMember;
    mapping(bytes32 => Plugin) private plugins;

    event Admitted(address indexed member);
    event Expelled(address indexed member);
    event Installed(bytes32 indexed name, address code);
    event Ran(bytes32 indexed name, address indexed by);

    modifier onlySecretary() {
        require(msg.sender == secretary, "only the secretary");
        _;
    }

    constructor() {
        secretary = msg.sender;
    }

    function admit(address member) external onlySecretary {
        require(!isMember[member], "a member already");
        isMember[member] = true;
        memberCount += 1;
        emit Admitted(member);
    }

    function expel(address member) external onlySecretary {
        require(isMember[member], "not a member");
        isMember[member] = false;
        memberCount -= 1;
        emit Expelled(member);
    }

    function install(bytes32 name, address code) external {
        require(code != address(0), "no code");
        Plugin storage plugin = plugins[name];
        require(plugin.code == address(0), "name is taken");
        plugin.code = code;
        plugin.author = msg.sender;
        emit Installed(name, code);
    }

    function run(bytes32 name, bytes calldata input) external returns (bytes memory) {
        Plugin storage plugin = plugins[name];
        address code = plugin.code;
        require(code != address(0), "no such plugin");
        plugin.runs += 1;
        (bool ok, bytes memory output) = code.delegatecall(input); //~ ERROR delegatecall
        require(ok, "plugin failed");
        emit Ran(name, msg.sender);
        return output;
    }

    function authorOf(bytes32 name) external view returns (address) {
        return plugins[name].author;
    }
}
