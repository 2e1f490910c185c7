pragma solidity ^0.5.0;

/// Drying racks of a print shop. A print hangs there against a deposit until it is fetched.
contract PrintRack {
    struct Print {
        address payable artist;
        uint64 hook;
        uint256 deposit;
    }

    address payable public shop;
    uint256 public rackFee;
    uint256 public earned;

    Print[] public prints;
    mapping(address => uint256) public printsOf;

    event Hung(uint256 indexed at, address indexed artist, uint256 deposit);
    event Fetched(address indexed artist, uint256 deposit);

    modifier onlyShop() {
        require(msg.sender == shop, "shop only");
        _;
    }

    constructor(uint256 _rackFee) public {
        require(_rackFee <= 1 ether, "fee out of range");
        shop = msg.sender;
        rackFee = _rackFee;
    }

    function setFee(uint256 fee) external onlyShop {
        require(fee <= 1 ether, "fee out of range");
        rackFee = fee;
    }

    function hang(uint64 hook) external payable returns (uint256 at) {
        require(msg.value > rackFee, "no deposit");
        require(printsOf[msg.sender] < 10, "too many prints");
        at = prints.length;
        uint256 deposit = msg.value - rackFee;
        prints.push(Print(msg.sender, hook, deposit));
        printsOf[msg.sender] += 1;
        earned += rackFee;
        emit Hung(at, msg.sender, deposit);
    }

    function fetch(uint256 at) external {
        require(at < prints.length, "empty hook");
        Print memory print = prints[at];
        require(print.artist == msg.sender, "not your print");
        uint256 last = prints.length - 1;
        if (at < last) {
            prints[at] = prints[last];
        }
        prints.pop();
        printsOf[msg.sender] -= 1;
        emit Fetched(msg.sender, print.deposit);
        (bool ok, ) = msg.sender.call.value(print.deposit)("");
        require(ok, "deposit not taken");
    }

    function count() external view returns (uint256) {
        return prints.length;
    }

    function collect() external onlyShop {
        uint256 value = earned;
        earned = 0;
        shop.transfer(value);
    }
}
