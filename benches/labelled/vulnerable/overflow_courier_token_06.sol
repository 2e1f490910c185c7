// SPDX-License-Identifier: MIT
pragma solidity ^0.6.0;

interface IERC20 {
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    function balanceOf(address who) external view returns (uint256);
    function transfer(address to, uint256 value) external returns (bool);
}

contract BasicToken is IERC20 {
    uint256 public totalSupply;
    mapping(address => uint256) internal balances;

    function balanceOf(address who) public view override returns (uint256) {
        return balances[who];
    }

    function transfer(address to, uint256 value) public virtual override returns (bool) {
        require(to != address(0), "to nobody");
        require(balances[msg.sender] >= value, "balance too low");
        balances[msg.sender] -= value;
        balances[to] += value;
        emit Transfer(msg.sender, to, value);
        return true;
    }
}

/// Tokens that couriers carry: whoever sends some may add a tip for the courier.
contract CourierToken is BasicToken {
    string public name;
    string public symbol;
    uint8 public constant decimals = 18;

    address public dispatcher;
    uint256 public deliveries;
    mapping(address => bool) public couriers;
    mapping(address => uint256) public tipsOf;

    event CourierHired(address indexed courier);
    event CourierDismissed(address indexed courier);
    event Delivered(address indexed from, address indexed to, address indexed courier, uint256 value, uint256 tip);

    modifier onlyDispatcher() {
        require(msg.sender == dispatcher, "dispatcher only");
        _;
    }

    constructor(string memory _name, string memory _symbol, uint256 supply) public {
        require(supply > 0 && supply < 2**128, "supply out of range");
        name = _name;
        symbol = _symbol;
        dispatcher = msg.sender;
        totalSupply = supply;
        balances[msg.sender] = supply;
        emit Transfer(address(0), msg.sender, supply);
    }

    function hire(address courier) external onlyDispatcher {
        couriers[courier] = true;
        emit CourierHired(courier);
    }

    function dismiss(address courier) external onlyDispatcher {
        couriers[courier] = false;
        emit CourierDismissed(courier);
    }

    function deliver(address to, address courier, uint256 value, uint256 tip) external returns (bool) {
        require(to != address(0) && courier != address(0), "to nobody");
        require(to != courier && to != msg.sender, "carried in a circle");
        uint256 total = value + tip; //~ ERROR overflow
        require(balances[msg.sender] >= total, "balance too low");
        balances[msg.sender] -= total;
        balances[to] += value;
        if (couriers[courier]) {
            balances[courier] += tip;
            tipsOf[courier] += 1;
        } else {
            // no courier of ours: the tip is for the dispatcher
            balances[dispatcher] += tip;
        }
        deliveries += 1;
        emit Delivered(msg.sender, to, courier, value, tip);
        emit Transfer(msg.sender, to, value);
        return true;
    }
}
