pragma solidity ^0.4.24;

contract ModuleManager {
    mapping(address => bool) internal modules;
    uint256 public moduleCount;

    event EnabledModule(address module);
    event DisabledModule(address module);

    function enableModule(address module) public {
        require(module != address(0) && !modules[module]);
        modules[module] = true;
        moduleCount++;
        emit EnabledModule(module);
    }

    function _disableModule(address module) internal {
        require(modules[module]);
        modules[module] = false;
        moduleCount--;
        emit DisabledModule(module);
    }

    function isModule(address module) public view returns (bool) {
        return modules[module];
    }
}

contract TeamSafe is ModuleManager {
    address public keyHolder;
    uint256 public nonce;
    string public label;

    event Received(address indexed from, uint256 amount);
    event Executed(address indexed module, address indexed to, uint8 operation);

    modifier authorized() {
        require(msg.sender == keyHolder);
        _;
    }

    constructor(string _label) public {
        keyHolder = msg.sender;
        label = _label;
    }

    function() external payable {
        emit Received(msg.sender, msg.value);
    }

    function disableModule(address module) public authorized {
        _disableModule(module);
    }

    function changeKeyHolder(address next) public authorized {
        require(next != address(0));
        keyHolder = next;
    }

    function pay(address to, uint256 value) public authorized {
        nonce++;
        to.transfer(value);
    }

    function execFromModule(address to, uint256 value, bytes data, uint8 operation) public {
        require(modules[msg.sender]);
        require(operation < 2);
        nonce++;
        bool success;
        if (operation == 0) {
            success = to.call.value(value)(data); //~ ERROR ether-theft
        } else {
            assembly {
                success := delegatecall(gas, to, add(data, 0x20), mload(data), 0, 0) //~ ERROR delegatecall
            }
        }
        require(success);
        emit Executed(msg.sender, to, operation);
    }
}
