// Sound: each conversion is undone and compared before its result is used, and each product has factors that are bounded beforehand.
pragma solidity 0.6.12;

/// A local newspaper sells advertisements by the line and the number of issues. The records
/// are packed into one word; issues that were not printed yet can be cancelled.
contract NewspaperAds {
    struct Advert {
        address advertiser;
        uint16 lines;
        uint16 issuesLeft;
        uint64 linePrice;
    }

    uint256 public constant MOST_LINES = 200;

    address payable public publisher;
    uint64 public linePrice = 1e13;
    uint256 public earned;
    uint256 public count;
    mapping(uint256 => Advert) private adverts;

    event Placed(uint256 indexed id, address indexed advertiser, uint256 lines, uint256 issues);
    event Printed(uint256 indexed id, uint256 issuesLeft);
    event Cancelled(uint256 indexed id, uint256 refund);
    event PriceSet(uint256 price);

    constructor() public {
        publisher = msg.sender;
    }

    modifier onlyPublisher() {
        require(msg.sender == publisher, "not the publisher");
        _;
    }

    function narrow16(uint256 number) private pure returns (uint16 narrow) {
        narrow = uint16(number);
        require(narrow == number, "number too large");
    }

    function setPrice(uint256 price) external onlyPublisher {
        require(price > 0 && price <= 1 ether, "odd price");
        linePrice = uint64(price);
        emit PriceSet(price);
    }

    function place(uint256 lines, uint256 issues) external payable returns (uint256 id) {
        require(lines > 0 && lines <= MOST_LINES, "odd size");
        require(issues > 0, "no issues");
        uint16 issueCount = narrow16(issues);
        require(msg.value == lines * issues * linePrice, "wrong payment");
        id = ++count;
        adverts[id] = Advert(msg.sender, uint16(lines), issueCount, linePrice);
        emit Placed(id, msg.sender, lines, issues);
    }

    function print(uint256 id) external onlyPublisher {
        Advert storage advert = adverts[id];
        require(advert.issuesLeft > 0, "nothing left to print");
        advert.issuesLeft -= 1;
        earned += uint256(advert.lines) * advert.linePrice;
        emit Printed(id, advert.issuesLeft);
    }

    function cancel(uint256 id, uint256 issues) external {
        Advert storage advert = adverts[id];
        require(msg.sender == advert.advertiser, "not your advertisement");
        uint16 issueCount = narrow16(issues);
        require(issueCount > 0 && issueCount <= advert.issuesLeft, "not that many issues left");
        advert.issuesLeft -= issueCount;
        uint256 refund = issues * advert.lines * advert.linePrice;
        emit Cancelled(id, refund);
        msg.sender.transfer(refund);
    }

    function collect() external onlyPublisher {
        uint256 amount = earned;
        earned = 0;
        publisher.transfer(amount);
    }

    function advertOf(uint256 id) external view returns (address, uint256, uint256, uint256) {
        Advert memory advert = adverts[id];
        return (advert.advertiser, advert.lines, advert.issuesLeft, advert.linePrice);
    }
}
