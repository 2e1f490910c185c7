// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IERC721Receiver {
    function onERC721Received(address operator, address from, uint256 id, bytes calldata data)
        external
        returns (bytes4);
}

abstract contract PassToken {
    mapping(uint256 => address) public ownerOf;
    mapping(address => uint256) public balanceOf;
    mapping(uint256 => address) public getApproved;

    event Transfer(address indexed from, address indexed to, uint256 indexed id);
    event Approval(address indexed owner, address indexed spender, uint256 indexed id);

    function approve(address spender, uint256 id) external {
        require(ownerOf[id] == msg.sender, "not yours");
        getApproved[id] = spender;
        emit Approval(msg.sender, spender, id);
    }

    function transferFrom(address from, address to, uint256 id) external {
        require(to != address(0), "no receiver");
        require(ownerOf[id] == from, "wrong owner");
        require(msg.sender == from || msg.sender == getApproved[id], "not allowed");
        delete getApproved[id];
        balanceOf[from] -= 1;
        balanceOf[to] += 1;
        ownerOf[id] = to;
        emit Transfer(from, to, id);
    }

    function _safeMint(address to, uint256 id) internal {
        require(ownerOf[id] == address(0), "exists");
        ownerOf[id] = to;
        balanceOf[to] += 1;
        emit Transfer(address(0), to, id);
        if (to.code.length > 0) {
            bytes4 answer = IERC721Receiver(to).onERC721Received(msg.sender, address(0), id, ""); //~ ERROR reentrancy
            require(answer == IERC721Receiver.onERC721Received.selector, "not a receiver");
        }
    }
}

/// Founders' passes of the guild: free, but only a few for each account.
contract GuildPass is PassToken {
    string public constant name = "Guild Pass";
    string public constant symbol = "GPASS";

    uint256 public constant SUPPLY = 500;
    uint256 public constant PER_ACCOUNT = 2;

    address public immutable steward = msg.sender;
    uint256 public minted;
    bool public paused;
    mapping(address => uint256) public claimed;

    event Paused(bool value);

    modifier whenOpen() {
        require(!paused, "paused");
        _;
    }

    function setPaused(bool value) external {
        require(msg.sender == steward, "not the steward");
        paused = value;
        emit Paused(value);
    }

    function claim(uint256 count) external whenOpen {
        require(count > 0, "nothing to claim");
        require(claimed[msg.sender] + count <= PER_ACCOUNT, "limit reached");
        require(minted + count <= SUPPLY, "sold out");
        for (uint256 i = 0; i < count; i++) {
            minted += 1;
            _safeMint(msg.sender, minted);
        }
        claimed[msg.sender] += count;
    }

    function remaining() external view returns (uint256) {
        return minted >= SUPPLY ? 0 : SUPPLY - minted;
    }
}
