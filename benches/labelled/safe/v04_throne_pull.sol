// By design: a dethroned king gets more than he paid, from the next king's own price.
pragma solidity ^0.4.24;

contract Throne {
    address public owner;
    address public king;
    uint256 public price = 10 finney;
    uint256 public feesCredited;
    mapping(address => uint256) public credit;

    event Crowned(address indexed king, uint256 paid, uint256 nextPrice);
    event Paid(address indexed to, uint256 amount);

    constructor() public {
        owner = msg.sender;
        king = msg.sender;
    }

    function claimThrone() public payable {
        // the exact price only: nobody can make the next one absurd in one step
        require(msg.value == price, "wrong price");
        require(msg.sender != king, "already king");

        uint256 fee = msg.value / 50;
        address old = king;
        king = msg.sender;
        price = msg.value + msg.value / 10;

        // nobody is paid here, a king without a payable fallback cannot block the throne
        credit[owner] += fee;
        credit[old] += msg.value - fee;
        feesCredited += fee;
        emit Crowned(msg.sender, msg.value, price);
    }

    function withdraw() public {
        uint256 amount = credit[msg.sender];
        require(amount > 0, "no credit");
        credit[msg.sender] = 0;
        msg.sender.transfer(amount);
        emit Paid(msg.sender, amount);
    }
}
