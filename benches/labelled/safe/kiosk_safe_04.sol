pragma solidity ^0.4.24;

library Sums {
    function plus(uint256 a, uint256 b) internal pure returns (uint256 c) {
        c = a + b;
        require(c >= a);
    }

    function minus(uint256 a, uint256 b) internal pure returns (uint256) {
        require(b <= a);
        return a - b;
    }
}

// The safe of a newspaper kiosk: regulars leave change there, and what is left
// on the counter belongs to the kiosk.
contract KioskSafe {
    using Sums for uint256;

    address public keeper;
    uint256 public kept;
    uint256 public tips;
    mapping(address => uint256) public changeOf;

    event Kept(address indexed regular, uint256 amount);
    event Handed(address indexed regular, uint256 amount);
    event Tip(address indexed from, uint256 amount);

    modifier onlyKeeper() {
        require(msg.sender == keeper);
        _;
    }

    constructor() public {
        keeper = msg.sender;
    }

    function () public payable {
        tips = tips.plus(msg.value);
        emit Tip(msg.sender, msg.value);
    }

    function keep() public payable {
        require(msg.value > 0);
        changeOf[msg.sender] = changeOf[msg.sender].plus(msg.value);
        kept = kept.plus(msg.value);
        emit Kept(msg.sender, msg.value);
    }

    function handOut(uint256 amount) public {
        require(amount > 0);
        changeOf[msg.sender] = changeOf[msg.sender].minus(amount);
        kept = kept.minus(amount);
        msg.sender.transfer(amount);
        emit Handed(msg.sender, amount);
    }

    function takeTips() public onlyKeeper {
        uint256 amount = tips;
        tips = 0;
        keeper.transfer(amount);
    }

    function sell(address buyer) public onlyKeeper {
        require(buyer != address(0));
        keeper = buyer;
    }

    // Only once everybody has their change back.
    function shutDown() public onlyKeeper {
        require(kept == 0);
        selfdestruct(keeper);
    }
}
