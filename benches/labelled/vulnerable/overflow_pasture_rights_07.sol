// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

/// Rights to graze on the commons. One stint is the right to turn out one head of cattle;
/// while an animal is out, its stint is in use.
contract PastureCommons {
    uint256 public constant PARISHES = 5;

    address payable public reeve;
    uint256 public stintPrice;
    uint256 public maxPerBuy = 20;

    mapping(address => uint256) public stints;
    mapping(uint256 => uint256) public grazing;
    mapping(uint256 => mapping(address => uint256)) public headOf;

    event StintsBought(address indexed grazier, uint256 number);
    event StintsGiven(address indexed from, address indexed to, uint256 number);
    event TurnedOut(address indexed grazier, uint256 indexed parish, uint256 head);
    event BroughtIn(address indexed grazier, uint256 indexed parish, uint256 head);

    modifier onlyReeve() {
        require(msg.sender == reeve, "reeve only");
        _;
    }

    modifier inParish(uint256 parish) {
        require(parish < PARISHES, "no such parish");
        _;
    }

    constructor(uint256 _stintPrice) {
        require(_stintPrice > 0 && _stintPrice <= 1 ether, "price out of range");
        reeve = msg.sender;
        stintPrice = _stintPrice;
    }

    function setMaxPerBuy(uint256 number) external onlyReeve {
        require(number > 0 && number <= 100, "out of range");
        maxPerBuy = number;
    }

    function buyStints(uint256 number) external payable {
        require(number > 0 && number <= maxPerBuy, "number out of range");
        require(msg.value == number * stintPrice, "wrong price");
        stints[msg.sender] += number;
        emit StintsBought(msg.sender, number);
    }

    function giveStints(address to, uint256 number) external {
        require(to != address(0), "to nobody");
        require(stints[msg.sender] >= number, "not so many stints");
        stints[msg.sender] -= number;
        stints[to] += number;
        emit StintsGiven(msg.sender, to, number);
    }

    function turnOut(uint256 parish, uint256 head) external inParish(parish) {
        require(head > 0 && stints[msg.sender] >= head, "not so many stints");
        stints[msg.sender] -= head;
        headOf[parish][msg.sender] += head;
        grazing[parish] += head;
        emit TurnedOut(msg.sender, parish, head);
    }

    /// The cattle come home, and their stints are free again.
    function bringIn(uint256 parish, uint256 head) external inParish(parish) {
        require(head > 0 && grazing[parish] >= head, "not so many out there");
        grazing[parish] -= head;
        headOf[parish][msg.sender] -= head; //~ ERROR overflow
        stints[msg.sender] += head;
        emit BroughtIn(msg.sender, parish, head);
    }

    function collect() external onlyReeve {
        reeve.transfer(address(this).balance);
    }
}
