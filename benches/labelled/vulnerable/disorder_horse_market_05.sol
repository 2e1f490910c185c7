pragma solidity ^0.5.0;

/// Who holds which horse. A holder may appoint an agent who moves one horse in their name.
contract HorsePassports {
    uint256 public horses;
    mapping(uint256 => address) public holderOf;
    mapping(uint256 => address) public agentOf;
    mapping(uint256 => bytes32) public nameOf;

    event Born(uint256 indexed id, bytes32 name, address holder);
    event Moved(uint256 indexed id, address indexed from, address indexed to);

    function register(bytes32 name) external returns (uint256 id) {
        id = ++horses;
        nameOf[id] = name;
        holderOf[id] = msg.sender;
        emit Born(id, name, msg.sender);
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

/// The market. Sellers appoint it as the agent of the horse that they offer.
contract HorseMarket {
    struct Offer {
        address seller;
        uint256 price;
    }

    HorsePassports public passports;
    address payable public steward;
    uint256 public fee;
    uint256 public fees;

    mapping(uint256 => Offer) public offers;
    mapping(address => uint256) public credit;
    mapping(address => uint256) public bought;

    event Offered(uint256 indexed id, address indexed seller, uint256 price);
    event Sold(uint256 indexed id, address indexed buyer, uint256 price);

    constructor(HorsePassports _passports, uint256 _fee) public {
        require(_fee <= 10, "per cent");
        passports = _passports;
        steward = msg.sender;
        fee = _fee;
    }

    function offer(uint256 id, uint256 price) external {
        require(price > 0, "name a price");
        require(passports.holderOf(id) == msg.sender, "not your horse");
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
        require(msg.value == o.price, "not the price");
        delete offers[id];
        address(passports).call(abi.encodeWithSignature("move(uint256,address)", id, msg.sender)); //~ ERROR exception-disorder
        uint256 part = (msg.value * fee) / 100;
        fees += part;
        credit[o.seller] += msg.value - part;
        bought[msg.sender] += 1;
        emit Sold(id, msg.sender, msg.value);
    }

    function collect() external {
        uint256 value = credit[msg.sender];
        require(value > 0, "nothing");
        credit[msg.sender] = 0;
        msg.sender.transfer(value);
    }

    function collectFees() external {
        require(msg.sender == steward, "steward only");
        uint256 value = fees;
        fees = 0;
        steward.transfer(value);
    }
}
