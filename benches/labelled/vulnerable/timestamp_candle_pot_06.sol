// SPDX-License-Identifier: MIT
pragma solidity ^0.6.0;

/// A candle burns on the table. Each guest who trims the wick adds to the pot; when a draught
/// puts the candle out, the pot belongs to whoever trimmed it last.
contract CandlePot {
    uint256 public constant MIN_TRIMS = 2;

    address payable public host;
    uint256 public stake;
    uint256 public pot;
    uint256 public trims;
    uint256 public evening = 1;
    uint256 public hostShare;
    address payable public last;
    mapping(uint256 => mapping(address => uint256)) public trimsOf;

    event Trimmed(uint256 indexed evening, address indexed guest, uint256 pot);
    event Flickered(uint256 indexed evening);
    event WentOut(uint256 indexed evening, address indexed winner, uint256 pot);

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
        require(trims == 0, "the candle burns");
        require(_stake >= 100 && _stake <= 1 ether, "stake out of range");
        stake = _stake;
    }

    function trim() external payable {
        require(msg.value == stake, "not the stake");
        require(msg.sender != last, "let somebody else");
        uint256 share = msg.value / 20;
        hostShare += share;
        pot += msg.value - share;
        trims += 1;
        trimsOf[evening][msg.sender] += 1;
        last = msg.sender;
        emit Trimmed(evening, msg.sender, pot);
    }

    function openWindow() external {
        require(trims >= MIN_TRIMS, "too early");
        if (now % 10 < 3) {
            uint256 value = pot;
            address payable winner = last;
            pot = 0;
            trims = 0;
            last = address(0);
            emit WentOut(evening, winner, value);
            evening += 1;
            winner.transfer(value); //~ ERROR timestamp
        } else {
            emit Flickered(evening);
        }
    }

    function collect() external onlyHost {
        uint256 value = hostShare;
        hostShare = 0;
        host.transfer(value);
    }
}
