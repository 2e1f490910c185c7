pragma solidity ^0.4.24;

/**
 * A floor of tiles. It grows by one row at a time; tiles can be laid anew by
 * whoever laid them, and by everybody once they are loose.
 */
contract MosaicFloor {
    uint256 public constant WIDTH = 16;
    uint256 public constant MAX_ROWS = 256;

    address public mason;
    uint256 public price;
    uint256[] private tiles;
    mapping(uint256 => address) public laidBy;

    event Laid(address indexed by, uint256 indexed place, uint256 colour);
    event RowAdded(uint256 rows);
    event RowRemoved(uint256 rows);

    modifier onlyMason() {
        require(msg.sender == mason);
        _;
    }

    constructor(uint256 tilePrice) public {
        mason = msg.sender;
        price = tilePrice;
    }

    function addRow() external {
        require(tiles.length < WIDTH * MAX_ROWS);
        tiles.length += WIDTH;
        emit RowAdded(tiles.length / WIDTH);
    }

    function removeRow() external onlyMason {
        require(tiles.length >= WIDTH);
        tiles.length -= WIDTH;
        emit RowRemoved(tiles.length / WIDTH);
    }

    function lay(uint256 row, uint256 column, uint256 colour) external payable {
        require(msg.value == price);
        require(row < MAX_ROWS && column < WIDTH);
        uint256 place = row * WIDTH + column;
        require(place < tiles.length);
        require(tiles[place] == 0 || laidBy[place] == msg.sender);
        tiles[place] = colour;
        laidBy[place] = msg.sender;
        emit Laid(msg.sender, place, colour);
    }

    // Reads a whole row without the checks of the compiler.
    function rowOf(uint256 row) external view returns (uint256[16] memory colours) {
        require(row < tiles.length / WIDTH);
        uint256 first = row * WIDTH;
        for (uint256 i = 0; i < WIDTH; i++) {
            uint256 colour;
            uint256 at = first + i;
            assembly {
                mstore(0, tiles_slot)
                colour := sload(add(keccak256(0, 32), at))
            }
            colours[i] = colour;
        }
    }

    function takeMoney() external onlyMason {
        mason.transfer(address(this).balance);
    }
}
