pragma solidity ^0.5.0;

/// Makers post quotes at numbered places of a board.
contract QuoteBoard {
    address public operator;
    bool public halted;
    uint256 public updates;
    uint256[] private quotes;
    mapping(address => bool) public isMaker;
    mapping(address => uint256) public lastUpdate;

    event MakerJoined(address indexed maker);
    event Extended(uint256 places);
    event Quoted(uint256 indexed place, address indexed maker, uint256 quote);

    constructor() public {
        operator = msg.sender;
    }

    modifier onlyOperator() {
        require(msg.sender == operator, "not the operator");
        _;
    }

    modifier onlyMaker() {
        require(isMaker[msg.sender], "not a maker");
        require(!halted, "halted");
        _;
    }

    function halt(bool value) external onlyOperator {
        halted = value;
    }

    function join() external {
        require(!isMaker[msg.sender], "joined");
        isMaker[msg.sender] = true;
        emit MakerJoined(msg.sender);
    }

    /// Makes room for more quotes.
    function extend(uint256 places) external onlyMaker {
        require(places > quotes.length, "fewer places");
        quotes.length = places;
        emit Extended(places);
    }

    function post(uint256 place, uint256 quote) external onlyMaker {
        require(place < quotes.length, "no such place");
        lastUpdate[msg.sender] = block.number;
        emit Quoted(place, msg.sender, quote);
        quotes[place] = quote; //~ ERROR arbitrary-write
    }

    function quoteAt(uint256 place) external view returns (uint256) {
        require(place < quotes.length, "no such place");
        return quotes[place];
    }

    function bestOf(uint256 from, uint256 count) external view returns (uint256 best) {
        require(count <= 32, "too many");
        for (uint256 i = 0; i < count; i++) {
            if (from >= quotes.length || i >= quotes.length - from) break;
            if (quotes[from + i] > best) best = quotes[from + i];
        }
    }

    function size() external view returns (uint256) {
        return quotes.length;
    }
}
