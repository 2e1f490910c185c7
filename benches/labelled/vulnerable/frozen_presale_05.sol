pragma solidity ^0.5.0;

contract Presale { //~ ERROR frozen-ether
    address public manager;
    uint256 public rate;
    uint256 public raised;
    uint256 public buyers;
    bool public finalized;

    mapping(address => uint256) public contributed;
    mapping(address => uint256) public tokensOf;
    mapping(address => bool) public excluded;

    event Bought(address indexed buyer, uint256 amount, uint256 tokens);
    event Finalized(uint256 raised);
    event Excluded(address indexed who, bool value);

    modifier onlyManager() {
        require(msg.sender == manager, "manager only");
        _;
    }

    modifier whileRunning() {
        require(!finalized, "finalized");
        _;
    }

    constructor(uint16 _rate) public {
        manager = msg.sender;
        rate = uint256(_rate) + 1;
    }

    function() external payable {
        _buy();
    }

    function buy() external payable {
        _buy();
    }

    function _buy() private whileRunning {
        require(!excluded[msg.sender], "excluded");
        require(msg.value > 0, "no ether");
        if (contributed[msg.sender] == 0) {
            buyers += 1;
        }
        uint256 tokens = msg.value * rate;
        contributed[msg.sender] += msg.value;
        tokensOf[msg.sender] += tokens;
        raised += msg.value;
        emit Bought(msg.sender, msg.value, tokens);
    }

    function setExcluded(address who, bool value) external onlyManager {
        excluded[who] = value;
        emit Excluded(who, value);
    }

    function giveTokens(address to, uint256 tokens) external {
        require(finalized, "running");
        require(tokens <= tokensOf[msg.sender], "tokens");
        tokensOf[msg.sender] -= tokens;
        tokensOf[to] += tokens;
    }

    function finalize() external onlyManager whileRunning {
        finalized = true;
        emit Finalized(raised);
    }
}
