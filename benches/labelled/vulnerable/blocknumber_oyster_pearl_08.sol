// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

abstract contract Tavern {
    address public immutable host;
    bool public openNow = true;

    event Opened(bool open);

    constructor() {
        host = msg.sender;
    }

    modifier onlyHost() {
        require(msg.sender == host, "host only");
        _;
    }

    function setOpen(bool open_) external onlyHost {
        openNow = open_;
        emit Opened(open_);
    }
}

/// @notice An oyster costs the same always. Every fourth or so has a pearl in it, which the house buys at once.
contract OysterBar is Tavern {
    uint256 public constant OYSTER = 0.001 ether;
    uint256 public constant PEARL = 0.003 ether;
    uint256 public constant ODDS = 4;

    uint256 public eaten;
    uint256 public pearls;
    mapping(address guest => uint256) public eatenBy;
    mapping(address guest => uint256) public lastAt;

    event Eaten(address indexed guest, uint256 number);
    event PearlFound(address indexed guest, uint256 number);

    error NoOysterToday();

    constructor() payable {}

    receive() external payable {}

    function eat() external payable {
        if (!openNow || address(this).balance < PEARL) revert NoOysterToday();
        require(msg.value == OYSTER, "price");
        require(lastAt[msg.sender] < block.number, "one at a time");
        lastAt[msg.sender] = block.number;
        eaten += 1;
        eatenBy[msg.sender] += 1;
        emit Eaten(msg.sender, eaten);

        if (_hasPearl(eaten)) {
            pearls += 1;
            emit PearlFound(msg.sender, eaten);
            payable(msg.sender).transfer(PEARL); //~ ERROR block-number
        }
    }

    function close(address payable to) external onlyHost {
        require(!openNow, "guests are eating");
        to.transfer(address(this).balance);
    }

    function _hasPearl(uint256 number) private view returns (bool) {
        bytes32 shell = keccak256(abi.encode(blockhash(block.number - 1), block.number, number));
        return uint256(shell) % ODDS == 0;
    }
}
