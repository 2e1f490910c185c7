// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Ether that is paid out evenly over some time.
contract StreamPay {
    struct Stream {
        address payer;
        address payee;
        uint256 deposit;
        uint256 withdrawn;
        uint256 start;
        uint256 duration;
    }

    uint256 public nextId;
    mapping(uint256 => Stream) public streams;

    event Opened(uint256 indexed id, address indexed payer, address indexed payee, uint256 deposit);
    event Withdrawn(uint256 indexed id, uint256 amount);
    event Cancelled(uint256 indexed id, uint256 paid, uint256 returned);

    function open(address payee, uint256 duration) external payable returns (uint256 id) {
        require(payee != address(0) && msg.value > 0, "wrong stream");
        require(duration > 0 && duration <= 5 * 365 days, "wrong duration");
        id = nextId++;
        streams[id] = Stream(msg.sender, payee, msg.value, 0, block.timestamp, duration);
        emit Opened(id, msg.sender, payee, msg.value);
    }

    function accrued(uint256 id) public view returns (uint256) {
        Stream storage s = streams[id];
        if (s.deposit == 0) return 0;
        uint256 elapsed = block.timestamp - s.start;
        if (elapsed >= s.duration) return s.deposit;
        return (s.deposit * elapsed) / s.duration;
    }

    function redirect(uint256 id, address payee) external {
        require(streams[id].payee == msg.sender, "not the payee");
        require(payee != address(0), "nobody");
        streams[id].payee = payee;
    }

    function withdraw(uint256 id) external {
        Stream storage s = streams[id];
        require(s.payee == msg.sender, "not the payee");
        uint256 amount = accrued(id) - s.withdrawn;
        require(amount > 0, "nothing yet");
        s.withdrawn += amount;
        emit Withdrawn(id, amount);
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "not accepted");
    }

    /// Ends the stream: each side gets its part.
    function cancel(uint256 id) external {
        Stream memory s = streams[id];
        require(s.payer == msg.sender, "not the payer");
        uint256 earned = accrued(id);
        uint256 rest = s.deposit - earned;
        delete streams[id];
        emit Cancelled(id, earned - s.withdrawn, rest);
        _push(s.payee, earned - s.withdrawn);
        (bool ok, ) = s.payer.call{value: rest}("");
        require(ok, "not accepted");
    }

    /// Cheaper than a call in Solidity, since no answer is copied.
    function _push(address to, uint256 amount) private {
        assembly {
            pop(call(gas(), to, amount, 0, 0, 0, 0)) //~ ERROR unchecked-call
        }
    }
}
