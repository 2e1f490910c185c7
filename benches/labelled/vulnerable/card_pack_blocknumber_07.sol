// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

/// Trading cards of four rarities. Every price goes into a pot, of which a golden card wins a part.
contract CardPack {
    enum Rarity { Common, Rare, Epic, Golden }

    struct Card {
        address owner;
        Rarity rarity;
        uint256 openedIn;
    }

    uint256 public constant PRICE = 10 gwei;
    uint256 public constant MAX_CARDS = 10000;

    address payable public immutable publisher;
    uint256 public pot;
    uint256 public royalties;
    uint256 public cardCount;
    mapping(uint256 => Card) public cards;
    mapping(address => uint256) public balanceOf;
    mapping(uint256 => address) public offeredTo;

    event Opened(uint256 indexed id, address indexed owner, Rarity rarity);
    event Won(uint256 indexed id, address indexed owner, uint256 amount);
    event Transfer(address indexed from, address indexed to, uint256 indexed id);

    constructor() {
        publisher = msg.sender;
    }

    function openPack() external payable returns (uint256 id) {
        require(msg.value == PRICE, "wrong price");
        require(cardCount < MAX_CARDS, "sold out");
        royalties += PRICE / 10;
        pot += PRICE - PRICE / 10;
        id = cardCount;
        cardCount = id + 1;
        Rarity rarity = _roll(id);
        cards[id] = Card(msg.sender, rarity, block.number);
        balanceOf[msg.sender] += 1;
        emit Opened(id, msg.sender, rarity);
        if (rarity == Rarity.Golden) {
            uint256 prize = pot / 2;
            pot -= prize;
            emit Won(id, msg.sender, prize);
            msg.sender.transfer(prize); //~ ERROR block-number
        }
    }

    function _roll(uint256 id) private view returns (Rarity) {
        uint256 seed = uint256(keccak256(abi.encode(blockhash(block.number - 1), block.number, id)));
        uint256 dice = seed % 16;
        if (dice < 4) return Rarity.Golden;
        if (dice < 7) return Rarity.Epic;
        if (dice < 11) return Rarity.Rare;
        return Rarity.Common;
    }

    function offer(uint256 id, address to) external {
        require(id < cardCount && cards[id].owner == msg.sender, "not yours");
        offeredTo[id] = to;
    }

    function accept(uint256 id) external {
        require(offeredTo[id] == msg.sender, "not offered to you");
        address from = cards[id].owner;
        require(from != msg.sender, "already yours");
        offeredTo[id] = address(0);
        cards[id].owner = msg.sender;
        balanceOf[from] -= 1;
        balanceOf[msg.sender] += 1;
        emit Transfer(from, msg.sender, id);
    }

    function collect() external {
        require(msg.sender == publisher, "not the publisher");
        uint256 amount = royalties;
        royalties = 0;
        publisher.transfer(amount);
    }
}
