// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IERC721Receiver {
    function onERC721Received(address operator, address from, uint256 id, bytes calldata data) external returns (bytes4);
}

contract FoundersPass {
    string public constant name = "Founders Pass";
    string public constant symbol = "PASS";
    uint256 public constant MAX_SUPPLY = 500;

    address public immutable distributor = msg.sender;
    uint256 public minted;
    mapping(uint256 => address) public ownerOf;
    mapping(address => uint256) public balanceOf;
    mapping(uint256 => address) public getApproved;

    event Transfer(address indexed from, address indexed to, uint256 indexed id);
    event Approval(address indexed owner, address indexed spender, uint256 indexed id);

    function safeMint(address to) external returns (uint256 id) {
        require(msg.sender == distributor, "not the distributor");
        require(minted < MAX_SUPPLY, "sold out");
        id = minted++;
        ownerOf[id] = to;
        balanceOf[to]++;
        emit Transfer(address(0), to, id);
        _notify(address(0), to, id);
    }

    function approve(address spender, uint256 id) external {
        require(ownerOf[id] == msg.sender, "not the owner");
        getApproved[id] = spender;
        emit Approval(msg.sender, spender, id);
    }

    function transferFrom(address from, address to, uint256 id) external {
        _move(from, to, id);
    }

    function _move(address from, address to, uint256 id) private {
        require(ownerOf[id] == from && to != address(0), "wrong owner");
        require(msg.sender == from || getApproved[id] == msg.sender, "not approved");
        delete getApproved[id];
        ownerOf[id] = to;
        balanceOf[from]--;
        balanceOf[to]++;
        emit Transfer(from, to, id);
    }

    function _notify(address from, address to, uint256 id) private {
        if (to.code.length == 0) return;
        bytes4 answer = IERC721Receiver(to).onERC721Received(msg.sender, from, id, ""); //~ ERROR reentrancy
        require(answer == IERC721Receiver.onERC721Received.selector, "refused");
    }
}

/// Gives at most two passes to each wallet, for free.
contract PassDistributor {
    uint256 public constant PER_WALLET = 2;

    FoundersPass public immutable pass = new FoundersPass();
    address public immutable host = msg.sender;
    bool public paused;
    mapping(address => uint256) public taken;

    event Claimed(address indexed who, uint256 count);

    function setPaused(bool value) external {
        require(msg.sender == host, "not the host");
        paused = value;
    }

    function claim(uint256 count) external {
        require(!paused, "paused");
        require(count > 0 && taken[msg.sender] + count <= PER_WALLET, "wallet limit");
        for (uint256 i = 0; i < count; i++) {
            pass.safeMint(msg.sender);
        }
        taken[msg.sender] += count;
        emit Claimed(msg.sender, count);
    }
}
