// By design: block numbers are the clock of the checkpoints.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.19;

contract CheckpointVotes {
    struct Checkpoint {
        uint32 fromBlock;
        uint224 votes;
    }

    mapping(address => uint256) public balanceOf;
    mapping(address => address) public delegates;
    mapping(address => Checkpoint[]) private _checkpoints;
    uint256 public totalSupply;

    event Transfer(address indexed from, address indexed to, uint256 amount);
    event DelegateChanged(address indexed who, address indexed from, address indexed to);
    event DelegateVotesChanged(address indexed delegatee, uint256 previous, uint256 current);

    function deposit() external payable {
        totalSupply += msg.value;
        require(totalSupply <= type(uint224).max, "supply");
        balanceOf[msg.sender] += msg.value;
        emit Transfer(address(0), msg.sender, msg.value);
        _moveVotes(address(0), delegates[msg.sender], msg.value);
    }

    function withdraw(uint256 amount) external {
        balanceOf[msg.sender] -= amount;
        totalSupply -= amount;
        emit Transfer(msg.sender, address(0), amount);
        _moveVotes(delegates[msg.sender], address(0), amount);
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok, "payment failed");
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        require(to != address(0), "zero");
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        emit Transfer(msg.sender, to, amount);
        _moveVotes(delegates[msg.sender], delegates[to], amount);
        return true;
    }

    function delegate(address to) external {
        address from = delegates[msg.sender];
        delegates[msg.sender] = to;
        emit DelegateChanged(msg.sender, from, to);
        _moveVotes(from, to, balanceOf[msg.sender]);
    }

    function getVotes(address who) public view returns (uint256) {
        uint256 n = _checkpoints[who].length;
        return n == 0 ? 0 : _checkpoints[who][n - 1].votes;
    }

    function getPastVotes(address who, uint256 blockNumber) external view returns (uint256) {
        require(blockNumber < block.number, "not yet known");
        Checkpoint[] storage c = _checkpoints[who];
        uint256 low;
        uint256 high = c.length;
        while (low < high) {
            uint256 mid;
            unchecked {
                mid = (low & high) + (low ^ high) / 2;
            }
            if (c[mid].fromBlock > blockNumber) high = mid;
            else low = mid + 1;
        }
        return high == 0 ? 0 : c[high - 1].votes;
    }

    function _moveVotes(address from, address to, uint256 amount) private {
        if (from == to || amount == 0) return;
        if (from != address(0)) _write(from, getVotes(from), getVotes(from) - amount);
        if (to != address(0)) _write(to, getVotes(to), getVotes(to) + amount);
    }

    function _write(address who, uint256 previous, uint256 current) private {
        require(current <= type(uint224).max && block.number <= type(uint32).max, "does not fit");
        Checkpoint[] storage c = _checkpoints[who];
        uint256 n = c.length;
        if (n > 0 && c[n - 1].fromBlock == block.number) {
            c[n - 1].votes = uint224(current);
        } else {
            c.push(Checkpoint(uint32(block.number), uint224(current)));
        }
        emit DelegateVotesChanged(who, previous, current);
    }
}
