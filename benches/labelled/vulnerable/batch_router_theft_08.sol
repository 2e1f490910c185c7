// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Runs several calls of the contract in one transaction.
abstract contract Batched {
    function batch(bytes[] calldata calls) external payable returns (bytes[] memory results) {
        results = new bytes[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            (bool success, bytes memory result) = address(this).delegatecall(calls[i]);
            if (!success) {
                assembly {
                    revert(add(result, 0x20), mload(result))
                }
            }
            results[i] = result;
        }
    }
}

/// Keeps ether of traders, who offer it in orders that others fill with services.
contract BatchRouter is Batched {
    struct Order {
        address maker;
        uint256 amount;
        bytes32 wants;
        address taker;
        bool open;
    }

    mapping(address => uint256) public balanceOf;
    Order[] private orders;

    event Deposited(address indexed account, uint256 amount);
    event Withdrawn(address indexed account, uint256 amount);
    event Placed(uint256 indexed id, address indexed maker, uint256 amount, bytes32 wants);
    event Filled(uint256 indexed id, address indexed taker);
    event Cancelled(uint256 indexed id);

    function deposit() external payable {
        require(msg.value > 0, "nothing sent");
        balanceOf[msg.sender] += msg.value;
        emit Deposited(msg.sender, msg.value);
    }

    function withdraw(uint256 amount) external {
        require(amount <= balanceOf[msg.sender], "not enough");
        balanceOf[msg.sender] -= amount;
        emit Withdrawn(msg.sender, amount);
        (bool success,) = msg.sender.call{value: amount}(""); //~ ERROR ether-theft
        require(success, "payment refused");
    }

    function order(uint256 id) public view returns (Order memory) {
        require(id < orders.length, "no such order");
        return orders[id];
    }

    function place(uint256 amount, bytes32 wants) external returns (uint256 id) {
        require(amount > 0 && amount <= balanceOf[msg.sender], "not enough");
        balanceOf[msg.sender] -= amount;
        id = orders.length;
        orders.push(Order(msg.sender, amount, wants, address(0), true));
        emit Placed(id, msg.sender, amount, wants);
    }

    /// The maker names the account that delivered what the order asks for.
    function fill(uint256 id, address taker) external {
        Order memory o = order(id);
        require(o.open && o.maker == msg.sender, "not your order");
        require(taker != address(0), "no taker");
        orders[id].open = false;
        orders[id].taker = taker;
        balanceOf[taker] += o.amount;
        emit Filled(id, taker);
    }

    function cancel(uint256 id) external {
        Order memory o = order(id);
        require(o.open && o.maker == msg.sender, "not your order");
        orders[id].open = false;
        balanceOf[msg.sender] += o.amount;
        emit Cancelled(id);
    }
}
