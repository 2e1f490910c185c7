pragma solidity 0.5.17;

/// One unit is one litre of diesel in the tanks of the refinery. As in older tokens,
/// a transfer that is not possible returns false.
contract DieselToken {
    string public constant name = "Diesel, litres";
    uint8 public constant decimals = 0;

    uint256 public constant PRICE = 10 szabo;

    address payable public refinery;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor() public {
        refinery = msg.sender;
    }

    function buy() external payable returns (uint256 litres) {
        require(msg.value > 0 && msg.value % PRICE == 0, "whole litres only");
        litres = msg.value / PRICE;
        totalSupply += litres;
        balanceOf[msg.sender] += litres;
        emit Transfer(address(0), msg.sender, litres);
    }

    function collect() external {
        require(msg.sender == refinery, "not the refinery");
        refinery.transfer(address(this).balance);
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        return move(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        if (allowance[from][msg.sender] < value || balanceOf[from] < value) return false;
        allowance[from][msg.sender] -= value;
        return move(from, to, value);
    }

    function move(address from, address to, uint256 value) private returns (bool) {
        if (balanceOf[from] < value) return false;
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
        return true;
    }
}

/// Hauliers store their litres at a depot by the motorway, and fetch them there.
contract FuelDepot {
    DieselToken public token;
    uint256 public constant TANK = 10000000;

    uint256 public stored;
    mapping(address => uint256) public litresOf;

    event Stored(address indexed haulier, uint256 litres);
    event Lent(address indexed from, address indexed to, uint256 litres);
    event Fetched(address indexed haulier, uint256 litres);

    constructor(DieselToken diesel) public {
        token = diesel;
    }

    function store(uint256 litres) external {
        require(litres > 0 && litres <= TANK - stored, "the tank is full");
        stored += litres;
        litresOf[msg.sender] += litres;
        token.transferFrom(msg.sender, address(this), litres);
        emit Stored(msg.sender, litres);
    }

    function lend(address to, uint256 litres) external {
        require(litresOf[msg.sender] >= litres, "not that much stored");
        litresOf[msg.sender] -= litres;
        litresOf[to] += litres;
        emit Lent(msg.sender, to, litres);
    }

    function fetch(uint256 litres) external {
        require(litresOf[msg.sender] >= litres, "not that much stored");
        litresOf[msg.sender] -= litres;
        stored -= litres;
        emit Fetched(msg.sender, litres);
        require(token.transfer(msg.sender, litres), "not delivered"); //~ ERROR ether-theft
    }
}
