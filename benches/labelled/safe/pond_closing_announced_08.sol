// SPDX-License-Identifier: MIT
pragma solidity ^0.8.13;

/// @notice Money of a wildlife pond. The keeper announces that it closes; a week later it is finished.
/// @dev What is left goes to the successor that was named with the announcement.
contract PondFund {
    uint256 public constant NOTICE = 7 days;

    address public keeper;
    address payable public successor;
    uint256 public closesAt;
    uint256 public frogs;
    mapping(address => uint256) public givenBy;

    event Given(address indexed by, uint256 amount);
    event Spent(address indexed to, uint256 amount, string what);
    event ClosingAnnounced(uint256 closesAt, address successor);
    event StaysOpen();

    error KeeperOnly();

    modifier onlyKeeper() {
        if (msg.sender != keeper) revert KeeperOnly();
        _;
    }

    constructor(uint256 frogs_) {
        keeper = msg.sender;
        frogs = frogs_;
    }

    function give() external payable {
        require(msg.value >= 0.001 ether, "too little");
        givenBy[msg.sender] += msg.value;
        emit Given(msg.sender, msg.value);
    }

    function count(uint256 frogs_) external onlyKeeper {
        frogs = frogs_;
    }

    function spend(address payable dealer, uint256 amount, string calldata what) external onlyKeeper {
        require(amount <= address(this).balance / 2, "not all at once");
        emit Spent(dealer, amount, what);
        dealer.transfer(amount);
    }

    function announceClosing(address payable successor_) external onlyKeeper {
        require(successor_ != address(0), "which successor");
        successor = successor_;
        closesAt = block.timestamp + NOTICE;
        emit ClosingAnnounced(closesAt, successor_);
    }

    function stayOpen() external onlyKeeper {
        closesAt = 0;
        successor = payable(address(0));
        emit StaysOpen();
    }

    function finish() external onlyKeeper {
        require(closesAt != 0, "not announced");
        require(block.timestamp >= closesAt, "there is still time");
        selfdestruct(successor);
    }
}
