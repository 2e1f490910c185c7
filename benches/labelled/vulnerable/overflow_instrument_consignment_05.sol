pragma solidity ^0.5.0;

/// A violin maker's shop sells instruments for their owners, at the price that they name.
contract Consignment {
    struct Lot {
        address seller;
        uint64 price;
        bool gone;
        bytes32 label;
    }

    address payable public shop;
    uint256 public commission;
    uint256 public earned;

    Lot[] public lots;
    mapping(address => uint256) public credit;
    mapping(address => uint256) public boughtBy;

    event Consigned(uint256 indexed id, address indexed seller, bytes32 label);
    event Withdrawn(uint256 indexed id);
    event Sold(uint256 indexed id, address indexed buyer, uint256 price);

    modifier onlyShop() {
        require(msg.sender == shop, "shop only");
        _;
    }

    constructor(uint256 _commission) public {
        require(_commission <= 30, "per cent");
        shop = msg.sender;
        commission = _commission;
    }

    function setCommission(uint256 _commission) external onlyShop {
        require(_commission <= 30, "per cent");
        commission = _commission;
    }

    function consign(bytes32 label, uint256 price) external returns (uint256 id) {
        require(price > 0, "name a price");
        id = lots.length;
        lots.push(Lot(msg.sender, uint64(price), false, label)); //~ ERROR overflow
        emit Consigned(id, msg.sender, label);
    }

    function takeHome(uint256 id) external {
        require(id < lots.length, "no such lot");
        Lot storage lot = lots[id];
        require(lot.seller == msg.sender, "not yours");
        require(!lot.gone, "gone");
        lot.gone = true;
        emit Withdrawn(id);
    }

    function buy(uint256 id) external payable {
        require(id < lots.length, "no such lot");
        Lot storage lot = lots[id];
        require(!lot.gone, "gone");
        require(msg.value == lot.price, "not the price");
        lot.gone = true;
        uint256 fee = (msg.value * commission) / 100;
        earned += fee;
        credit[lot.seller] += msg.value - fee;
        boughtBy[msg.sender] += 1;
        emit Sold(id, msg.sender, msg.value);
    }

    function collectCredit() external {
        uint256 value = credit[msg.sender];
        require(value > 0, "nothing sold");
        credit[msg.sender] = 0;
        msg.sender.transfer(value);
    }

    function collectEarned() external onlyShop {
        uint256 value = earned;
        earned = 0;
        shop.transfer(value);
    }
}
