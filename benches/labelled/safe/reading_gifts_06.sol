// SPDX-License-Identifier: MIT
pragma solidity ^0.6.0;

/// A library gives a small gift to each child that reads three books.
contract ReadingGifts {
    uint256 public constant GIFT = 5 finney;
    uint256 public constant BOOKS_NEEDED = 3;

    address payable public librarian;
    uint256 public giftsGiven;
    bool public over;

    mapping(address => uint256) public booksRead;
    mapping(address => mapping(uint256 => bool)) public hasRead;
    mapping(address => bool) public hasGift;

    event Sponsored(address indexed sponsor, uint256 amount);
    event BookRead(address indexed reader, uint256 indexed isbn);
    event GiftGiven(address indexed reader);

    modifier whileRunning() {
        require(!over, "the campaign is over");
        _;
    }

    constructor() public {
        librarian = msg.sender;
    }

    receive() external payable {
        emit Sponsored(msg.sender, msg.value);
    }

    function finishBook(uint256 isbn) external whileRunning {
        require(isbn > 0, "no such book");
        require(!hasRead[msg.sender][isbn], "already read");
        hasRead[msg.sender][isbn] = true;
        booksRead[msg.sender] += 1;
        emit BookRead(msg.sender, isbn);
    }

    function takeGift() external whileRunning {
        require(booksRead[msg.sender] >= BOOKS_NEEDED, "read some more");
        require(!hasGift[msg.sender], "one gift each");
        require(address(this).balance >= GIFT, "no gifts left");
        hasGift[msg.sender] = true;
        giftsGiven += 1;
        emit GiftGiven(msg.sender);
        msg.sender.transfer(GIFT);
    }

    function giftsLeft() external view returns (uint256) {
        return address(this).balance / GIFT;
    }

    function endCampaign() external {
        require(msg.sender == librarian, "not the librarian");
        over = true;
        librarian.transfer(address(this).balance);
    }
}
