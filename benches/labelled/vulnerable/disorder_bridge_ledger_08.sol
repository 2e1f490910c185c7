// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
// Exploit: lock more than the ledger's cap and call convert(): the ledger reverts, ok is ignored and the locked amount is erased without any credit.
contract CreditLedger {
    uint256 public constant CAP = 1 ether;

    address public immutable gate;
    uint256 public total;
    mapping(address => uint256) public credits;

    constructor() {
        gate = msg.sender;
    }

    function credit(address who, uint256 amount) external {
        require(msg.sender == gate, "gate only");
        require(total + amount <= CAP, "cap reached");
        total += amount;
        credits[who] += amount;
    }
}

contract BridgeGate {
    address payable public immutable operator;
    CreditLedger public immutable ledger;
    mapping(address => uint256) public pending;
    uint256 public convertedTotal;

    constructor() {
        operator = payable(msg.sender);
        ledger = new CreditLedger();
    }

    function lock() external payable {
        require(msg.value > 0, "empty");
        pending[msg.sender] += msg.value;
    }

    function cancel() external {
        uint256 amount = pending[msg.sender];
        pending[msg.sender] = 0;
        payable(msg.sender).transfer(amount);
    }

    function convert() external {
        uint256 amount = pending[msg.sender];
        require(amount > 0, "nothing pending");
        pending[msg.sender] = 0;
        (bool ok, ) = address(ledger).call( //~ ERROR exception-disorder
            abi.encodeWithSelector(CreditLedger.credit.selector, msg.sender, amount)
        );
        ok;
        convertedTotal += amount;
    }

    function collect(uint256 amount) external {
        require(msg.sender == operator, "operator only");
        require(amount <= convertedTotal, "too much");
        convertedTotal -= amount;
        operator.transfer(amount);
    }
}
