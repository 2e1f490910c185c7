// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Credits are bought with ether and spent to move projects up in a list.
contract BoostCredits {
    struct Project {
        address author;
        bytes32 title;
        uint256 boost;
    }

    uint256 public constant PRICE = 1000 wei;

    address public immutable host = msg.sender;
    mapping(address => uint256) private credits;
    Project[] public projects;
    uint256 public top;

    event Submitted(uint256 indexed id, address indexed author);
    event Boosted(uint256 indexed id, address indexed by, uint256 amount);

    function submit(bytes32 title) external returns (uint256 id) {
        require(title != bytes32(0), "no title");
        id = projects.length;
        projects.push(Project(msg.sender, title, 0));
        emit Submitted(id, msg.sender);
    }

    function buy() external payable {
        require(msg.value % PRICE == 0, "odd amount");
        credits[msg.sender] += msg.value / PRICE;
    }

    function creditsOf(address who) external view returns (uint256) {
        return credits[who];
    }

    function boost(uint256 id, uint96 amount) external {
        require(id < projects.length, "no such project");
        require(amount > 0, "no boost");
        _spend(msg.sender, amount);
        Project storage project = projects[id];
        project.boost += amount;
        if (project.boost > projects[top].boost) top = id;
        emit Boosted(id, msg.sender, amount);
    }

    /// Balances are read and written once, without the checks of the compiler.
    function _spend(address who, uint256 amount) private {
        assembly {
            mstore(0x00, who)
            mstore(0x20, credits.slot)
            let slot := keccak256(0x00, 0x40)
            let balance_ := sload(slot)
            let rest := sub(balance_, amount) //~ ERROR overflow
            sstore(slot, rest)
        }
    }

    function collect() external {
        require(msg.sender == host, "not the host");
        payable(host).transfer(address(this).balance);
    }
}
