// SPDX-License-Identifier: MIT
pragma solidity ^0.6.0;

interface IERC20 {
    function balanceOf(address who) external view returns (uint256);

    function transfer(address to, uint256 amount) external returns (bool);
}

contract AnimalShelterFund {
    address public owner;
    address public nextOwner;
    address public guardian;
    bool public paused;
    uint256 public donated;
    mapping(address => uint256) public donatedBy;

    event Donated(address indexed from, uint256 amount, string message);
    event Spent(address indexed to, uint256 amount);
    event OwnerChanged(address indexed from, address indexed to);
    event Maintained(address indexed script);

    modifier onlyOwner() {
        require(msg.sender == owner, "owner only");
        _;
    }

    modifier onlyGuardian() {
        require(msg.sender == guardian || msg.sender == owner, "guardian only");
        _;
    }

    modifier notPaused() {
        require(!paused, "paused");
        _;
    }

    constructor(address _guardian) public {
        owner = msg.sender;
        guardian = _guardian;
    }

    receive() external payable {
        _donate("");
    }

    function donate(string calldata message) external payable notPaused {
        _donate(message);
    }

    function _donate(string memory message) private {
        donated += msg.value;
        donatedBy[msg.sender] += msg.value;
        emit Donated(msg.sender, msg.value, message);
    }

    function spend(address payable to, uint256 amount) external onlyOwner notPaused {
        require(to != address(0) && amount <= address(this).balance, "terms");
        emit Spent(to, amount);
        to.transfer(amount);
    }

    function setPaused(bool value) external onlyGuardian {
        paused = value;
    }

    function rescueTokens(IERC20 token, address to) external onlyOwner {
        require(token.transfer(to, token.balanceOf(address(this))), "token");
    }

    function maintain(address script, bytes calldata data) external onlyOwner returns (bytes memory) {
        (bool ok, bytes memory result) = script.delegatecall(data);
        require(ok, "script failed");
        emit Maintained(script);
        return result;
    }

    function offerOwnership(address to) external onlyOwner {
        nextOwner = to;
    }

    function acceptOwnership() external {
        require(msg.sender == nextOwner, "not offered to you");
        emit OwnerChanged(owner, nextOwner);
        owner = nextOwner;
        nextOwner = address(0);
    }

    function windUp(address payable heir) external onlyOwner {
        require(heir != address(0), "no heir");
        selfdestruct(heir);
    }
}
