// By design: a payout to a contract that fails is caught and credited again.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface IPayoutReceiver {
    function onPayout(address from) external payable returns (bytes4);
}

contract CaughtPayouts {
    mapping(address => uint256) public credit;
    uint256 public totalCredit;

    event Deposited(address indexed by, address indexed to, uint256 amount);
    event PaidTo(address indexed who, address indexed receiver, uint256 amount);
    event PayoutFailed(address indexed who, address indexed receiver, string reason);
    event PayoutFailedRaw(address indexed who, address indexed receiver, bytes data);

    function depositFor(address to) external payable {
        require(to != address(0), "zero");
        credit[to] += msg.value;
        totalCredit += msg.value;
        emit Deposited(msg.sender, to, msg.value);
    }

    function withdraw() external {
        uint256 amount = _take(msg.sender);
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok, "payment failed");
    }

    /// the holder of the credit names a contract that is to have it
    function payTo(IPayoutReceiver receiver) external returns (bool done) {
        require(address(receiver) != address(this), "self");
        uint256 amount = _take(msg.sender);
        try receiver.onPayout{value: amount}(msg.sender) returns (bytes4 magic) {
            require(magic == IPayoutReceiver.onPayout.selector, "not a receiver");
            emit PaidTo(msg.sender, address(receiver), amount);
            done = true;
        } catch Error(string memory reason) {
            _give(msg.sender, amount);
            emit PayoutFailed(msg.sender, address(receiver), reason);
        } catch (bytes memory data) {
            _give(msg.sender, amount);
            emit PayoutFailedRaw(msg.sender, address(receiver), data);
        }
    }

    function _take(address who) private returns (uint256 amount) {
        amount = credit[who];
        require(amount > 0, "no credit");
        credit[who] = 0;
        totalCredit -= amount;
    }

    function _give(address who, uint256 amount) private {
        credit[who] += amount;
        totalCredit += amount;
    }
}
