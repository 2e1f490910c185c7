// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
// Exploit: vote() through the proxy: totalVotes is slot 0 of the logic and admin is slot 0 of the proxy, so each vote changes who the admin is.
contract BallotLogic {
    uint256 public totalVotes;
    mapping(address => bool) public voted;

    event Voted(address indexed who, bool yes);

    function vote(bool yes) external {
        require(!voted[msg.sender], "voted");
        voted[msg.sender] = true;
        totalVotes += 1;
        emit Voted(msg.sender, yes);
    }
}

contract BallotProxy {
    address public admin; //~ ERROR layout-collision
    address private immutable logic;

    constructor(address logic_) payable {
        admin = msg.sender;
        logic = logic_;
    }

    receive() external payable {}

    fallback() external {
        address code = logic;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), code, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }

    function withdraw(uint256 amount) external {
        require(msg.sender == admin, "admin only");
        payable(admin).transfer(amount);
    }
}
