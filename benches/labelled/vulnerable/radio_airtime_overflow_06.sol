pragma solidity 0.6.12;

library SafeMath {
    function add(uint256 a, uint256 b) internal pure returns (uint256 c) {
        c = a + b;
        require(c >= a, "sum too large");
    }

    function sub(uint256 a, uint256 b) internal pure returns (uint256) {
        require(b <= a, "difference below zero");
        return a - b;
    }

    function mul(uint256 a, uint256 b) internal pure returns (uint256 c) {
        if (a == 0) return 0;
        c = a * b;
        require(c / a == b, "product too large");
    }
}

/// A local radio station sells seconds of its advertising time.
/// Seconds that were not aired are bought back at half the price.
contract RadioAirtime {
    using SafeMath for uint256;

    uint256 public constant PER_SECOND = 2 gwei;
    uint32 public constant LONG_SPOT = 600;

    address payable public station;
    uint256 public outstanding;
    mapping(address => uint256) public secondsOf;
    mapping(address => bytes32) public spotOf;

    event Bought(address indexed advertiser, uint256 count, uint256 price);
    event BoughtBack(address indexed advertiser, uint256 count, uint256 refund);
    event Aired(address indexed advertiser, bytes32 spot, uint256 count);

    constructor() public {
        station = msg.sender;
    }

    modifier onlyStation() {
        require(msg.sender == station, "not the station");
        _;
    }

    /// Ten minutes and more are a tenth cheaper.
    function quote(uint32 count) public pure returns (uint256) {
        uint256 full = uint256(count).mul(PER_SECOND);
        return count >= LONG_SPOT ? full.sub(full / 10) : full;
    }

    function buy(uint256 count, bytes32 spot) external payable {
        require(spot != 0, "nothing to air");
        uint256 price = quote(uint32(count)); //~ ERROR overflow
        require(msg.value == price, "wrong payment");
        secondsOf[msg.sender] = secondsOf[msg.sender].add(count);
        outstanding = outstanding.add(count);
        spotOf[msg.sender] = spot;
        emit Bought(msg.sender, count, price);
    }

    function sellBack(uint256 count) external {
        secondsOf[msg.sender] = secondsOf[msg.sender].sub(count);
        outstanding = outstanding.sub(count);
        uint256 refund = count.mul(PER_SECOND) / 2;
        emit BoughtBack(msg.sender, count, refund);
        msg.sender.transfer(refund);
    }

    function air(address advertiser, uint256 count) external onlyStation {
        secondsOf[advertiser] = secondsOf[advertiser].sub(count);
        outstanding = outstanding.sub(count);
        emit Aired(advertiser, spotOf[advertiser], count);
    }

    /// Leaves enough to buy back all that was not aired yet.
    function collect() external onlyStation {
        uint256 reserve = outstanding.mul(PER_SECOND) / 2;
        station.transfer(address(this).balance.sub(reserve));
    }
}
