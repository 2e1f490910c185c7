pragma solidity 0.7.6;

/// Weather buoys write down what they measure. A keeper launches a buoy with as many cells
/// as it needs, and writes to any of them, in any order. Cells are not cleared beforehand,
/// so that large buoys are as cheap as small ones.
contract WeatherBuoys {
    address payable public service;
    uint256 public launched;
    uint256 public constant FEE = 0.001 ether;

    struct Buoy {
        address keeper;
        int32 latitude;
        int32 longitude;
        uint256 size;
        uint256 written;
    }

    mapping(uint256 => Buoy) public buoys;

    event Launched(uint256 indexed id, address indexed keeper, uint256 size);
    event HandedOver(uint256 indexed id, address indexed keeper);
    event Measured(uint256 indexed id, uint256 indexed cell, uint256 value);

    constructor() {
        service = msg.sender;
    }

    modifier onlyKeeper(uint256 id) {
        require(buoys[id].keeper == msg.sender, "not your buoy");
        _;
    }

    function launch(int32 latitude, int32 longitude, uint256 size) external payable returns (uint256 id) {
        require(msg.value == FEE, "wrong fee");
        require(latitude >= -90000 && latitude <= 90000, "no such latitude");
        require(longitude >= -180000 && longitude <= 180000, "no such longitude");
        require(size > 0, "a buoy without cells");
        id = ++launched;
        buoys[id] = Buoy(msg.sender, latitude, longitude, size, 0);
        emit Launched(id, msg.sender, size);
    }

    function handOver(uint256 id, address keeper) external onlyKeeper(id) {
        require(keeper != address(0), "nobody");
        buoys[id].keeper = keeper;
        emit HandedOver(id, keeper);
    }

    function measure(uint256 id, uint256 cell, uint256 value) external onlyKeeper(id) {
        require(cell < buoys[id].size, "no such cell");
        buoys[id].written++;
        uint256 first = firstCell(id);
        assembly {
            sstore(add(first, cell), value) //~ ERROR arbitrary-write
        }
        emit Measured(id, cell, value);
    }

    function read(uint256 id, uint256 cell) external view returns (uint256 value) {
        require(cell < buoys[id].size, "no such cell");
        uint256 first = firstCell(id);
        assembly {
            value := sload(add(first, cell))
        }
    }

    function collect() external {
        require(msg.sender == service, "not the weather service");
        service.transfer(address(this).balance);
    }

    function firstCell(uint256 id) private pure returns (uint256) {
        return uint256(keccak256(abi.encode("buoy.cells", id)));
    }
}
