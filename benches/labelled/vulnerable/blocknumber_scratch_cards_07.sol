// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

/// Scratch cards: buy one today, scratch it whenever you like.
contract CardPrinter {
    enum Status { None, Sold, Scratched }

    struct Card {
        address payable holder;
        uint64 soldIn;
        Status status;
    }

    uint256 public immutable price;
    uint256 internal next = 1;
    mapping(uint256 => Card) internal cards;

    event Sold(uint256 indexed id, address indexed holder);
    event Given(uint256 indexed id, address indexed from, address indexed to);

    constructor(uint256 _price) {
        require(_price > 0 && _price <= 1 ether, "price out of range");
        price = _price;
    }

    modifier onlyHolder(uint256 id) {
        require(cards[id].holder == msg.sender, "not your card");
        _;
    }

    function buy() external payable returns (uint256 id) {
        require(msg.value == price, "wrong price");
        id = next++;
        cards[id] = Card(msg.sender, uint64(block.number), Status.Sold);
        emit Sold(id, msg.sender);
    }

    function give(uint256 id, address payable to) external onlyHolder(id) {
        require(to != address(0), "to nobody");
        cards[id].holder = to;
        emit Given(id, msg.sender, to);
    }

    function cardOf(uint256 id) external view returns (address holder, Status status) {
        return (cards[id].holder, cards[id].status);
    }
}

contract ScratchCards is CardPrinter {
    address payable public immutable operator;
    uint256 public paidOut;

    event Scratched(uint256 indexed id, address indexed holder, uint256 symbols, uint256 prize);
    event Stocked(uint256 value);

    constructor(uint256 _price) payable CardPrinter(_price) {
        operator = msg.sender;
    }

    receive() external payable {
        emit Stocked(msg.value);
    }

    function scratch(uint256 id) external onlyHolder(id) {
        Card storage card = cards[id];
        require(card.status == Status.Sold, "scratched already");
        require(block.number > card.soldIn, "the ink is wet");
        card.status = Status.Scratched;
        uint256 symbols = uint256(keccak256(abi.encodePacked(blockhash(block.number - 1), block.coinbase, id))) % 8;
        uint256 prize = prizeFor(symbols);
        if (prize > 0) {
            require(prize <= address(this).balance, "come back later");
            paidOut += prize;
            card.holder.transfer(prize); //~ ERROR block-number
        }
        emit Scratched(id, msg.sender, symbols, prize);
    }

    function prizeFor(uint256 symbols) public view returns (uint256) {
        if (symbols == 0) return price * 3;
        if (symbols == 1 || symbols == 2) return price * 2;
        return 0;
    }

    function withdraw(uint256 value) external {
        require(msg.sender == operator, "operator only");
        operator.transfer(value);
    }
}
