pragma solidity ^0.4.24;

/**
 * A dairy owned by its farmers, who hold shares by the milk they bring.
 * The dairy keeper weighs the milk; money is divided per share and collected.
 */
contract DairyDividend {
    uint256 private constant SCALE = 10 ** 18;

    address public keeper;
    uint256 public totalShares;
    uint256 public perShare;

    mapping(address => uint256) public sharesOf;
    mapping(address => uint256) private paidPerShare;
    mapping(address => uint256) private due;

    event Weighed(address indexed farmer, uint256 shares);
    event Takings(uint256 value);
    event Collected(address indexed farmer, uint256 value);
    event Undeliverable(address indexed farmer, uint256 value);

    modifier onlyKeeper() {
        require(msg.sender == keeper);
        _;
    }

    constructor() public {
        keeper = msg.sender;
    }

    function settle(address farmer) private {
        due[farmer] += sharesOf[farmer] * (perShare - paidPerShare[farmer]) / SCALE;
        paidPerShare[farmer] = perShare;
    }

    function weigh(address farmer, uint256 litres) external onlyKeeper {
        require(farmer != address(0) && litres > 0 && litres < 100000);
        settle(farmer);
        sharesOf[farmer] += litres;
        totalShares += litres;
        emit Weighed(farmer, litres);
    }

    function sell() external payable {
        require(totalShares > 0 && msg.value > 0 && msg.value < 10 ** 30);
        perShare += msg.value * SCALE / totalShares;
        emit Takings(msg.value);
    }

    function collect() external {
        settle(msg.sender);
        uint256 value = due[msg.sender];
        require(value > 0);
        due[msg.sender] = 0;
        msg.sender.transfer(value);
        emit Collected(msg.sender, value);
    }

    // The keeper brings the money round; who is not at home collects later.
    function bring(address farmer) external onlyKeeper {
        settle(farmer);
        uint256 value = due[farmer];
        due[farmer] = 0;
        if (!farmer.send(value)) {
            due[farmer] = value;
            emit Undeliverable(farmer, value);
        }
    }

    function dueOf(address farmer) external view returns (uint256) {
        return due[farmer] + sharesOf[farmer] * (perShare - paidPerShare[farmer]) / SCALE;
    }
}
