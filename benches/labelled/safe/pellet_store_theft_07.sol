// Sound: anyone may sweep, but only tokens that were sent without storing them and that belong to nobody on the books; what is stored is never touched.
pragma solidity 0.7.6;

/// One unit is one sack of wood pellets, sold by the sawmill.
contract PelletToken {
    string public constant name = "Wood pellets, sacks";
    uint8 public constant decimals = 0;
    uint256 public constant PRICE = 10000 gwei;

    address payable public immutable sawmill;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor(address payable seller) {
        sawmill = seller;
    }

    function buy() external payable returns (uint256 sacks) {
        require(msg.value > 0 && msg.value % PRICE == 0, "whole sacks only");
        sacks = msg.value / PRICE;
        totalSupply += sacks;
        balanceOf[msg.sender] += sacks;
        emit Transfer(address(0), msg.sender, sacks);
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        require(allowance[from][msg.sender] >= value, "not allowed");
        allowance[from][msg.sender] -= value;
        move(from, to, value);
        return true;
    }

    function collect() external {
        sawmill.transfer(address(this).balance);
    }

    function move(address from, address to, uint256 value) private {
        require(balanceOf[from] >= value, "not enough sacks");
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}

/// A dry store for pellets that people bought in summer.
contract PelletStore {
    PelletToken public immutable token;

    uint256 public stored;
    mapping(address => uint256) public sacksOf;

    event Stored(address indexed owner, uint256 sacks);
    event Fetched(address indexed owner, uint256 sacks);
    event Swept(address indexed by, uint256 sacks);

    constructor() {
        token = new PelletToken(msg.sender);
    }

    function store(uint256 sacks) external {
        require(sacks > 0, "nothing to store");
        require(token.transferFrom(msg.sender, address(this), sacks), "not delivered");
        stored += sacks;
        sacksOf[msg.sender] += sacks;
        emit Stored(msg.sender, sacks);
    }

    function fetch(uint256 sacks) external {
        require(sacks > 0 && sacksOf[msg.sender] >= sacks, "not that many stored");
        sacksOf[msg.sender] -= sacks;
        stored -= sacks;
        emit Fetched(msg.sender, sacks);
        require(token.transfer(msg.sender, sacks), "not delivered");
    }

    /// Whoever tidies up may keep the sacks that nobody has stored.
    function sweep() external {
        uint256 loose = token.balanceOf(address(this)) - stored;
        require(loose > 0, "all is tidy");
        emit Swept(msg.sender, loose);
        require(token.transfer(msg.sender, loose), "not delivered");
    }
}
