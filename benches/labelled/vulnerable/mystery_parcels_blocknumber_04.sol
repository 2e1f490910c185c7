pragma solidity 0.4.26;

/// A dealer in lost mail sells sealed parcels. Whoever opens a parcel finds either
/// old newspapers or a voucher, which is paid out at once.
contract MysteryParcels {
    uint256 public constant PRICE = 1 finney;
    uint256 public constant VOUCHER = 3 finney;
    uint256 public constant ONE_IN = 4;

    address public dealer;
    uint256 public parcels;
    uint256 public unopened;

    mapping(uint256 => address) public ownerOf;
    mapping(address => uint256) public vouchersFound;

    event Sold(uint256 indexed parcel, address indexed buyer);
    event PassedOn(uint256 indexed parcel, address indexed from, address indexed to);
    event Opened(uint256 indexed parcel, address indexed owner, bool voucher);

    constructor() public payable {
        dealer = msg.sender;
    }

    modifier onlyDealer() {
        require(msg.sender == dealer, "not the dealer");
        _;
    }

    modifier onlyOwnerOf(uint256 parcel) {
        require(ownerOf[parcel] == msg.sender, "not your parcel");
        _;
    }

    /// The dealer puts ether aside for the vouchers.
    function stockUp() external payable onlyDealer {
        require(msg.value > 0, "nothing to stock");
    }

    /// Parcels are sold only while each unopened one could hold a voucher.
    function buy() external payable returns (uint256 parcel) {
        require(msg.value == PRICE, "wrong price");
        require(address(this).balance >= (unopened + 1) * VOUCHER, "sold out");
        parcel = ++parcels;
        unopened++;
        ownerOf[parcel] = msg.sender;
        emit Sold(parcel, msg.sender);
    }

    function passOn(uint256 parcel, address to) external onlyOwnerOf(parcel) {
        require(to != address(0), "nobody");
        ownerOf[parcel] = to;
        emit PassedOn(parcel, msg.sender, to);
    }

    function open(uint256 parcel) external onlyOwnerOf(parcel) {
        delete ownerOf[parcel];
        unopened--;

        bytes32 shuffled = keccak256(abi.encodePacked(blockhash(block.number - 1), parcel));
        bool voucher = uint256(shuffled) % ONE_IN == 0;
        emit Opened(parcel, msg.sender, voucher);
        if (voucher) {
            vouchersFound[msg.sender]++;
            msg.sender.transfer(VOUCHER); //~ ERROR block-number
        }
    }

    function collect() external onlyDealer {
        dealer.transfer(address(this).balance - unopened * VOUCHER);
    }
}
