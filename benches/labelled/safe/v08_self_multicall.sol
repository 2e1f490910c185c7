// By design: multicall() delegates to the contract itself; it takes no ether, so msg.value is never counted twice.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract MulticallBank {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(bytes32 => uint256)) public pots;

    event Deposit(address indexed who, uint256 amount);
    event Withdrawal(address indexed who, address indexed to, uint256 amount);
    event Moved(address indexed from, address indexed to, uint256 amount);
    event PotFilled(address indexed who, bytes32 indexed pot, uint256 amount);
    event PotEmptied(address indexed who, bytes32 indexed pot, uint256 amount);

    function deposit() external payable {
        balanceOf[msg.sender] += msg.value;
        emit Deposit(msg.sender, msg.value);
    }

    function withdraw(address payable to, uint256 amount) external {
        require(to != address(0) && to != address(this), "to");
        balanceOf[msg.sender] -= amount;
        emit Withdrawal(msg.sender, to, amount);
        (bool ok,) = to.call{value: amount}("");
        require(ok, "payment failed");
    }

    function move(address to, uint256 amount) external {
        require(to != address(0), "to");
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        emit Moved(msg.sender, to, amount);
    }

    function fillPot(bytes32 pot, uint256 amount) external {
        balanceOf[msg.sender] -= amount;
        pots[msg.sender][pot] += amount;
        emit PotFilled(msg.sender, pot, amount);
    }

    function emptyPot(bytes32 pot) external {
        uint256 amount = pots[msg.sender][pot];
        pots[msg.sender][pot] = 0;
        balanceOf[msg.sender] += amount;
        emit PotEmptied(msg.sender, pot, amount);
    }

    /// not payable
    function multicall(bytes[] calldata calls) external returns (bytes[] memory results) {
        results = new bytes[](calls.length);
        for (uint256 i; i < calls.length; ++i) {
            (bool ok, bytes memory result) = address(this).delegatecall(calls[i]);
            if (!ok) {
                assembly {
                    revert(add(result, 32), mload(result))
                }
            }
            results[i] = result;
        }
    }
}
