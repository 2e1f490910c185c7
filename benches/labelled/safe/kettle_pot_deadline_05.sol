pragma solidity ^0.5.0;

/// Whoever filled the kettle last, when nobody has for a day, gets the pot.
contract KettlePot {
    uint256 public constant QUIET = 1 days;

    address payable public host;
    uint256 public stake;
    uint256 public pot;
    uint256 public round = 1;
    uint256 public hostShare;
    uint256 public quietFrom;
    address payable public last;
    mapping(uint256 => mapping(address => uint256)) public fillsOf;

    event Filled(uint256 indexed round, address indexed guest, uint256 pot);
    event Won(uint256 indexed round, address indexed winner, uint256 pot);

    modifier onlyHost() {
        require(msg.sender == host, "host only");
        _;
    }

    constructor(uint256 _stake) public {
        require(_stake >= 100 && _stake <= 1 ether, "stake out of range");
        host = msg.sender;
        stake = _stake;
    }

    function setStake(uint256 _stake) external onlyHost {
        require(last == address(0), "the kettle is on");
        require(_stake >= 100 && _stake <= 1 ether, "stake out of range");
        stake = _stake;
    }

    function fill() external payable {
        require(msg.value == stake, "not the stake");
        require(msg.sender != last, "let somebody else");
        require(last == address(0) || now < quietFrom, "the kettle has boiled dry");
        uint256 share = msg.value / 20;
        hostShare += share;
        pot += msg.value - share;
        last = msg.sender;
        quietFrom = now + QUIET;
        fillsOf[round][msg.sender] += 1;
        emit Filled(round, msg.sender, pot);
    }

    function settle() external {
        require(last != address(0), "nobody yet");
        require(now >= quietFrom, "still warm");
        uint256 value = pot;
        address payable winner = last;
        pot = 0;
        last = address(0);
        emit Won(round, winner, value);
        round += 1;
        winner.transfer(value);
    }

    function collect() external onlyHost {
        uint256 value = hostShare;
        hostShare = 0;
        host.transfer(value);
    }
}
