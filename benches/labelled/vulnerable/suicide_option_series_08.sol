// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @notice Covered calls of one strike. The writer locks ether, the buyer pays a premium.
contract OptionSeries {
    address public immutable desk;
    address public immutable writer;
    uint256 public immutable strike;
    uint256 public immutable expiry;
    address public holder;
    uint256 public premium;

    event Sold(address indexed holder, uint256 premium);
    event Exercised(address indexed holder, uint256 covered);
    event Reclaimed(uint256 covered);

    modifier onlyDesk() {
        require(msg.sender == desk, "desk only");
        _;
    }

    constructor(address writer_, uint256 strike_, uint256 expiry_, uint256 premium_) payable {
        desk = msg.sender;
        writer = writer_;
        strike = strike_;
        expiry = expiry_;
        premium = premium_;
    }

    function sellTo(address buyer) external payable onlyDesk {
        require(holder == address(0), "sold");
        require(block.timestamp < expiry, "expired");
        require(msg.value == premium, "premium");
        holder = buyer;
        emit Sold(buyer, premium);
        payable(writer).transfer(premium);
    }

    function exercise() external payable {
        require(msg.sender == holder, "holder only");
        require(block.timestamp < expiry, "expired");
        require(msg.value == strike, "strike");
        uint256 covered = address(this).balance - msg.value;
        holder = address(0);
        premium = type(uint256).max;
        emit Exercised(msg.sender, covered);
        payable(writer).transfer(strike);
        payable(msg.sender).transfer(covered);
    }

    function reclaim() external {
        require(msg.sender == writer, "writer only");
        require(holder == address(0) || block.timestamp >= expiry, "running");
        emit Reclaimed(address(this).balance);
        payable(writer).transfer(address(this).balance);
    }

    /// @dev frees the storage of a series that is done
    function retire(address payable rest) external onlyDesk {
        selfdestruct(rest); //~ ERROR self-destruct
    }
}

/// @title Desk where series are written, bought and retired
contract OptionDesk {
    address public immutable clerk;
    OptionSeries[] public series;
    mapping(address => bool) public isSeries;

    event Written(uint256 indexed id, address indexed writer, uint256 strike, uint256 covered);
    event Bought(uint256 indexed id, address indexed holder);
    event Retired(uint256 indexed id);

    constructor() {
        clerk = msg.sender;
    }

    function write(uint256 strike, uint256 premium, uint256 daysOpen) external payable returns (uint256 id) {
        require(msg.value >= 0.001 ether, "nothing to cover");
        require(strike > 0 && premium > 0, "terms");
        require(daysOpen > 0 && daysOpen <= 365, "term");
        id = series.length;
        OptionSeries made =
            new OptionSeries{value: msg.value}(msg.sender, strike, block.timestamp + daysOpen * 1 days, premium);
        series.push(made);
        isSeries[address(made)] = true;
        emit Written(id, msg.sender, strike, msg.value);
    }

    function buy(uint256 id) external payable {
        series[id].sellTo{value: msg.value}(msg.sender);
        emit Bought(id, msg.sender);
    }

    /// @notice Takes a series out of the list; what is left in it goes to `rest`.
    function retire(uint256 id, address payable rest) external {
        OptionSeries done = series[id];
        require(isSeries[address(done)], "retired");
        require(rest != address(0), "nobody");
        isSeries[address(done)] = false;
        emit Retired(id);
        done.retire(rest);
    }
}
