// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
// Exploit: multicall([deposit, deposit]) with 1 ether: each delegated deposit sees the same msg.value and credits it twice; withdraw(2 ether).
contract BatchVault {
    mapping(address => uint256) public credit;

    event Deposited(address indexed who, uint256 amount);
    event Withdrawn(address indexed who, uint256 amount);

    function multicall(bytes[] calldata calls) external payable returns (bytes[] memory results) {
        results = new bytes[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            (bool ok, bytes memory result) = address(this).delegatecall(calls[i]);
            require(ok, "call failed");
            results[i] = result;
        }
    }

    function deposit() external payable {
        require(msg.value > 0, "empty");
        credit[msg.sender] += msg.value;
        emit Deposited(msg.sender, msg.value);
    }

    function moveCredit(address to, uint256 amount) external payable {
        credit[msg.sender] -= amount;
        credit[to] += amount;
    }

    function withdraw(uint256 amount) external {
        credit[msg.sender] -= amount;
        payable(msg.sender).transfer(amount); //~ ERROR ether-theft
        emit Withdrawn(msg.sender, amount);
    }
}
