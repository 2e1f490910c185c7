// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IERC20 {
    function transfer(address to, uint256 amount) external returns (bool);
}

contract BadgeMint { //~ ERROR frozen-ether
    string public name;
    address public owner;
    uint256 public minted;
    uint256 public price;
    mapping(uint256 => address) public ownerOf;
    mapping(address => uint256) public balanceOf;
    mapping(uint256 => address) public getApproved;

    event Transfer(address indexed from, address indexed to, uint256 indexed id);
    event Approval(address indexed holder, address indexed approved, uint256 indexed id);
    event PriceChanged(uint256 price);

    error NotOwner();
    error WrongPrice(uint256 sent, uint256 price);

    modifier onlyOwner() {
        if (msg.sender != owner) revert NotOwner();
        _;
    }

    constructor(string memory name_, uint32 priceInGwei) {
        name = name_;
        owner = msg.sender;
        price = uint256(priceInGwei) * 1 gwei;
    }

    function mint() external payable returns (uint256 id) {
        if (msg.value < price) revert WrongPrice(msg.value, price);
        id = ++minted;
        ownerOf[id] = msg.sender;
        balanceOf[msg.sender] += 1;
        emit Transfer(address(0), msg.sender, id);
    }

    function approve(address to, uint256 id) external {
        require(ownerOf[id] == msg.sender, "not yours");
        getApproved[id] = to;
        emit Approval(msg.sender, to, id);
    }

    function transferFrom(address from, address to, uint256 id) external {
        require(ownerOf[id] == from && to != address(0), "not the owner");
        require(msg.sender == from || msg.sender == getApproved[id], "not approved");
        delete getApproved[id];
        balanceOf[from] -= 1;
        balanceOf[to] += 1;
        ownerOf[id] = to;
        emit Transfer(from, to, id);
    }

    function setPrice(uint32 priceInGwei) external onlyOwner {
        price = uint256(priceInGwei) * 1 gwei;
        emit PriceChanged(price);
    }

    /// @notice Sends tokens on that came here by mistake.
    function rescueTokens(IERC20 token, uint256 amount) external onlyOwner {
        require(token.transfer(owner, amount), "token");
    }
}
