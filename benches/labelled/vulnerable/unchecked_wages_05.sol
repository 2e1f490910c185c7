// SPDX-License-Identifier: MIT
pragma solidity ^0.5.0;
// Exploit: an employer funds a worker that is a contract wallet; settle(worker) clears the wage although send() returned false.
contract WageDesk {
    mapping(address => uint256) public wages;
    mapping(address => address) public employerOf;

    event Funded(address indexed worker, uint256 amount);
    event Settled(address indexed worker, uint256 amount);

    function fund(address worker) external payable {
        require(msg.value > 0, "empty");
        require(worker != address(0), "zero");
        if (employerOf[worker] == address(0)) {
            employerOf[worker] = msg.sender;
        }
        wages[worker] += msg.value;
        emit Funded(worker, msg.value);
    }

    function settle(address payable worker) external {
        uint256 amount = wages[worker];
        require(amount > 0, "nothing owed");
        wages[worker] = 0;
        worker.send(amount); //~ ERROR unchecked-call
        emit Settled(worker, amount);
    }
}
