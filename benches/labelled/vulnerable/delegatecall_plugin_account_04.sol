pragma solidity ^0.4.21;

/**
 * An account that learns new functions: each selector is served by a plugin.
 * Plugins work on the storage of the account, as libraries do.
 */
contract PluginStorage {
    address internal owner;
    mapping(bytes4 => address) internal plugins;
    uint256 internal pluginCount;
    mapping(bytes32 => bytes32) internal data;
}

contract NotesPlugin is PluginStorage {
    event Noted(bytes32 indexed key, bytes32 value);

    function note(bytes32 key, bytes32 value) external {
        require(msg.sender == owner);
        data[key] = value;
        emit Noted(key, value);
    }

    function noteOf(bytes32 key) external view returns (bytes32) {
        return data[key];
    }
}

contract PluginAccount is PluginStorage {
    event PluginAdded(bytes4 indexed selector, address indexed plugin);
    event PluginRemoved(bytes4 indexed selector);
    event Received(address indexed from, uint256 value);
    event Spent(address indexed to, uint256 value);

    modifier onlyOwner() {
        require(msg.sender == owner);
        _;
    }

    function PluginAccount() public {
        owner = msg.sender;
        NotesPlugin notes = new NotesPlugin();
        plugins[notes.note.selector] = notes;
        plugins[notes.noteOf.selector] = notes;
        pluginCount = 2;
    }

    // Functions that are served already are the owner's business.
    function addPlugin(bytes4 selector, address plugin) external {
        require(plugins[selector] == address(0) || msg.sender == owner);
        require(plugin != address(0) && plugin != address(this));
        if (plugins[selector] == address(0)) {
            pluginCount += 1;
        }
        plugins[selector] = plugin;
        emit PluginAdded(selector, plugin);
    }

    function removePlugin(bytes4 selector) external onlyOwner {
        require(plugins[selector] != address(0));
        delete plugins[selector];
        pluginCount -= 1;
        emit PluginRemoved(selector);
    }

    function spend(address to, uint256 value) external onlyOwner {
        require(to != address(0));
        to.transfer(value);
        emit Spent(to, value);
    }

    function pluginOf(bytes4 selector) external view returns (address) {
        return plugins[selector];
    }

    function () external payable {
        if (msg.data.length == 0) {
            emit Received(msg.sender, msg.value);
            return;
        }
        address plugin = plugins[msg.sig];
        require(plugin != address(0));
        require(plugin.delegatecall(msg.data)); //~ ERROR delegatecall
    }
}
