pragma solidity ^0.4.24;

/**
 * A wall of pixels. It grows as people paint further to the right; each pixel
 * holds a colour and whatever else the painter packs into the word.
 */
contract Managed {
    address public manager;
    bool public closed;

    constructor() public {
        manager = msg.sender;
    }

    modifier onlyManager() {
        require(msg.sender == manager, "manager only");
        _;
    }

    modifier whileOpen() {
        require(!closed, "the wall is closed");
        _;
    }

    function close() external onlyManager {
        closed = true;
    }

    function handOver(address to) external onlyManager {
        require(to != address(0), "to nobody");
        manager = to;
    }
}

contract PixelWall is Managed {
    uint256 public price;
    uint256 public strokes;
    uint256[] private pixels;
    mapping(address => uint256) public strokesOf;

    event Painted(address indexed painter, uint256 indexed place, uint256 colour);
    event Grown(uint256 length);

    constructor(uint256 _price) public {
        price = _price;
    }

    function paint(uint256 place, uint256 colour) external payable whileOpen {
        require(msg.value >= price, "paint is not free");
        if (place >= pixels.length) {
            pixels.length = place + 1;
            emit Grown(pixels.length);
        }
        pixels[place] = colour; //~ ERROR arbitrary-write
        strokes += 1;
        strokesOf[msg.sender] += 1;
        emit Painted(msg.sender, place, colour);
    }

    function pixel(uint256 place) external view returns (uint256) {
        return place < pixels.length ? pixels[place] : 0;
    }

    function width() external view returns (uint256) {
        return pixels.length;
    }

    function takePaintMoney() external onlyManager {
        manager.transfer(address(this).balance);
    }
}
