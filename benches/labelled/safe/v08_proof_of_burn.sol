// By design: the ether is destroyed, it goes to an address nobody has the key of.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract ProofOfBurn {
    address payable public constant SINK = payable(0x000000000000000000000000000000000000dEaD);

    struct Burn {
        address by;
        uint64 atBlock;
        uint128 amount;
        bytes32 message;
    }

    Burn[] public burns;
    uint256 public totalBurned;
    mapping(address => uint256) public burnedBy;

    event Burned(uint256 indexed id, address indexed by, uint256 amount, bytes32 message);

    receive() external payable {
        _burn(bytes32(0));
    }

    function burn(bytes32 message) external payable {
        _burn(message);
    }

    function count() external view returns (uint256) {
        return burns.length;
    }

    /// rank points: one for each finney, the first hundred burners count double
    function pointsOf(uint256 id) external view returns (uint256 points) {
        Burn storage b = burns[id];
        points = b.amount / 1e15;
        if (id < 100) points *= 2;
    }

    function _burn(bytes32 message) private {
        uint256 amount = msg.value;
        require(amount > 0 && amount <= type(uint128).max, "amount");
        uint256 id = burns.length;
        burns.push(Burn(msg.sender, uint64(block.number), uint128(amount), message));
        burnedBy[msg.sender] += amount;
        totalBurned += amount;
        emit Burned(id, msg.sender, amount, message);
        SINK.transfer(amount);
    }
}
