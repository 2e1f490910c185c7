// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
// Exploit: addBook, lend(0), giveBack(0), giveBack(0): the second return is not refused, so more books are in than owned.
contract BookLoans {
    uint256 public owned;
    uint256 public inHouse;
    mapping(uint256 => address) public borrower;

    event Lent(uint256 indexed book, address indexed to);
    event Returned(uint256 indexed book);

    function addBook() external {
        owned += 1;
        inHouse += 1;
    }

    function lend(uint256 book) external {
        require(book < owned, "unknown book");
        require(borrower[book] == address(0), "lent");
        borrower[book] = msg.sender;
        inHouse -= 1;
        emit Lent(book, msg.sender);
    }

    function giveBack(uint256 book) external {
        require(book < owned, "unknown book");
        borrower[book] = address(0);
        inHouse += 1;
        assert(inHouse <= owned); //~ ERROR assertion
        emit Returned(book);
    }
}
