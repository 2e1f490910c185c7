pragma solidity ^0.5.0;

/**
 * Village seed bank. Gardeners donate packets, borrow some in spring, and bring
 * as many back in autumn. Packets that did not sprout are reported as lost.
 */
contract SeedBank {
    uint256 public inStock;
    uint256 public onLoan;
    uint256 public total;
    mapping(address => uint256) public borrowed;
    mapping(address => uint256) public donated;
    mapping(address => uint256) public lost;

    event Donated(address indexed gardener, uint256 packets);
    event Borrowed(address indexed gardener, uint256 packets);
    event Returned(address indexed gardener, uint256 packets);
    event Lost(address indexed gardener, uint256 packets);

    modifier booksBalance() {
        _;
        assert(inStock + onLoan == total); //~ ERROR assertion
    }

    function donate(uint16 packets) external booksBalance {
        require(packets > 0, "empty box");
        inStock += packets;
        total += packets;
        donated[msg.sender] += packets;
        emit Donated(msg.sender, packets);
    }

    function borrow(uint256 packets) external booksBalance {
        require(packets > 0 && packets <= inStock, "not in stock");
        inStock -= packets;
        onLoan += packets;
        borrowed[msg.sender] += packets;
        emit Borrowed(msg.sender, packets);
    }

    function bringBack(uint256 packets) external booksBalance {
        _takeOff(packets);
        inStock += packets;
        emit Returned(msg.sender, packets);
    }

    function reportLost(uint256 packets) external {
        _takeOff(packets);
        lost[msg.sender] += packets;
        emit Lost(msg.sender, packets);
    }

    function _takeOff(uint256 packets) private {
        require(packets > 0 && packets <= borrowed[msg.sender], "not borrowed");
        borrowed[msg.sender] -= packets;
        onLoan -= packets;
    }
}
