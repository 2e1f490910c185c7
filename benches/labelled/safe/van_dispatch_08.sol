// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

library DriverStorage {
    struct Layout {
        mapping(address => uint256) tours;
        address lastDriver;
    }

    bytes32 private constant POSITION = keccak256("vandispatch.drivers");

    function layout() internal pure returns (Layout storage $) {
        bytes32 position = POSITION;
        assembly {
            $.slot := position
        }
    }
}

library RefusalStorage {
    struct Layout {
        mapping(address => uint256) refusals;
        uint256 total;
    }

    bytes32 private constant POSITION = keccak256("vandispatch.refusals");

    function layout() internal pure returns (Layout storage $) {
        bytes32 position = POSITION;
        assembly {
            $.slot := position
        }
    }
}

/// The garage knows which vans are out and what a tour costs.
contract Garage {
    address public immutable dispatcher = msg.sender;
    mapping(uint8 => address) public driverOf;

    modifier onlyDispatcher() {
        require(msg.sender == dispatcher, "only the dispatcher");
        _;
    }

    function checkOut(uint8 van, address driver) external onlyDispatcher {
        require(van < 20, "no such van");
        require(driverOf[van] == address(0), "already out");
        driverOf[van] = driver;
    }

    function checkIn(uint8 van, address driver) external onlyDispatcher {
        require(driverOf[van] == driver, "not your van");
        delete driverOf[van];
    }

    function tariff(uint256 km, uint8 class) external pure returns (uint256) {
        require(class >= 1 && class <= 3, "unknown class");
        require(km <= 2000, "too far");
        return 300 + km * 40 * class;
    }
}

contract VanDispatch {
    Garage public immutable garage = new Garage();

    event Started(address indexed driver, uint8 van);
    event Refused(address indexed driver, uint8 van);
    event Ended(address indexed driver, uint8 van);

    function start(uint8 van) external returns (bool) {
        (bool ok, ) = address(garage).call(abi.encodeCall(garage.checkOut, (van, msg.sender)));
        if (!ok) {
            RefusalStorage.layout().refusals[msg.sender] += 1;
            RefusalStorage.layout().total += 1;
            emit Refused(msg.sender, van);
            return false;
        }
        DriverStorage.layout().lastDriver = msg.sender;
        emit Started(msg.sender, van);
        return true;
    }

    function end(uint8 van) external {
        garage.checkIn(van, msg.sender);
        DriverStorage.layout().tours[msg.sender] += 1;
        emit Ended(msg.sender, van);
    }

    function priceOf(uint256 km) external view returns (uint256) {
        return garage.tariff(km, 1);
    }

    function statistics(address driver) external view returns (uint256 tours, uint256 refusals) {
        tours = DriverStorage.layout().tours[driver];
        refusals = RefusalStorage.layout().refusals[driver];
    }

    function lastDriver() external view returns (address) {
        return DriverStorage.layout().lastDriver;
    }
}
