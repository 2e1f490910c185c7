// SPDX-License-Identifier: MIT
pragma solidity ^0.6.0;

/// The archive keeps one entry for each document, and never changes it.
contract DocumentArchive {
    struct Entry {
        address depositor;
        uint64 filedAt;
        bytes32 category;
    }

    address public immutable keeper;
    mapping(bytes32 => Entry) public entries;
    mapping(bytes32 => uint256) public inCategory;
    uint256 public constant PER_CATEGORY = 10000;

    event Filed(bytes32 indexed document, address indexed depositor, bytes32 indexed category);

    constructor() public {
        keeper = msg.sender;
    }

    function file(bytes32 document, address depositor, bytes32 category) external {
        require(document != 0, "archive: empty document");
        require(entries[document].depositor == address(0), "archive: filed already");
        require(inCategory[category] < PER_CATEGORY, "archive: category is full");
        entries[document] = Entry(depositor, uint64(now), category);
        inCategory[category] += 1;
        emit Filed(document, depositor, category);
    }

    function depositorOf(bytes32 document) external view returns (address) {
        return entries[document].depositor;
    }
}

abstract contract FeeOffice {
    address payable public immutable notary;
    uint256 public fee;

    event FeeSet(uint256 fee);

    modifier onlyNotary() {
        require(msg.sender == notary, "notary only");
        _;
    }

    modifier paysFee() {
        require(msg.value == fee, "wrong fee");
        _;
    }

    constructor(uint256 _fee) public {
        notary = msg.sender;
        fee = _fee;
    }

    function setFee(uint256 _fee) external onlyNotary {
        fee = _fee;
        emit FeeSet(_fee);
    }

    function collectFees() external onlyNotary {
        notary.transfer(address(this).balance);
    }
}

/// The notary seals documents for a fee, and files them in the archive.
contract NotaryOffice is FeeOffice {
    DocumentArchive public immutable archive;
    bytes32 public category;
    uint256 public seals;
    mapping(address => uint256) public sealsOf;
    mapping(address => bytes32) public lastSealed;

    event Sealed(uint256 indexed number, address indexed client, bytes32 document);

    constructor(DocumentArchive _archive, bytes32 _category, uint256 _fee) public FeeOffice(_fee) {
        archive = _archive;
        category = _category;
    }

    function seal(bytes32 document) external payable paysFee returns (uint256 number) {
        // works with the archives of other notaries too, whatever they return
        address(archive).call( //~ ERROR exception-disorder
            abi.encodeWithSelector(archive.file.selector, document, msg.sender, category)
        );
        seals += 1;
        number = seals;
        sealsOf[msg.sender] += 1;
        lastSealed[msg.sender] = document;
        emit Sealed(number, msg.sender, document);
    }

    function setCategory(bytes32 _category) external onlyNotary {
        category = _category;
    }
}
