pragma solidity ^0.5.0;

/// Who holds which boat. A holder may appoint an agent who moves one boat in their name.
contract BoatRegister {
    uint256 public boats;
    mapping(uint256 => address) public holderOf;
    mapping(uint256 => address) public agentOf;

    event Moved(uint256 indexed id, address indexed from, address indexed to);

    function register() external returns (uint256 id) {
        id = ++boats;
        holderOf[id] = msg.sender;
        emit Moved(id, address(0), msg.sender);
    }

    function appoint(uint256 id, address agent) external {
        require(holderOf[id] == msg.sender, "holder only");
        agentOf[id] = agent;
    }

    function move(uint256 id, address to) external {
        require(msg.sender == holderOf[id] || msg.sender == agentOf[id], "neither holder nor agent");
        require(to != address(0), "to nobody");
        emit Moved(id, holderOf[id], to);
        holderOf[id] = to;
        agentOf[id] = address(0);
    }
}

/// Sellers appoint the market as the agent of the boat that they offer. It gives change.
contract BoatMarket {
    struct Offer {
        address payable seller;
        uint256 price;
    }

    BoatRegister public boats;
    uint256 public sold;
    mapping(uint256 => Offer) public offers;
    mapping(address => uint256) public credit;

    event Offered(uint256 indexed id, address indexed seller, uint256 price);
    event Sold(uint256 indexed id, address indexed buyer, uint256 price);

    constructor(BoatRegister _boats) public {
        boats = _boats;
    }

    function offer(uint256 id, uint256 price) external {
        require(price > 0, "name a price");
        require(boats.holderOf(id) == msg.sender, "not your boat");
        offers[id] = Offer(msg.sender, price);
        emit Offered(id, msg.sender, price);
    }

    function recall(uint256 id) external {
        require(offers[id].seller == msg.sender, "not your offer");
        delete offers[id];
    }

    function buy(uint256 id) external payable {
        Offer memory o = offers[id];
        require(o.price > 0, "not on offer");
        require(msg.value >= o.price, "too little");
        delete offers[id];
        sold += 1;
        (bool ok, ) = address(boats).call(abi.encodeWithSignature("move(uint256,address)", id, msg.sender));
        require(ok, "the boat was not moved");
        if (!o.seller.send(o.price)) {
            credit[o.seller] += o.price;
        }
        if (msg.value > o.price) {
            require(msg.sender.send(msg.value - o.price), "change not taken");
        }
        emit Sold(id, msg.sender, o.price);
    }

    function collect() external {
        uint256 value = credit[msg.sender];
        require(value > 0, "nothing");
        credit[msg.sender] = 0;
        msg.sender.transfer(value);
    }
}
