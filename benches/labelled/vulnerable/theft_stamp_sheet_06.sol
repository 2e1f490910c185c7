// SPDX-License-Identifier: MIT
pragma solidity ^0.6.0;

/// Savings stamps: a sheet is worth what was paid for it, and is redeemed for that.
contract StampSheets {
    uint256 public constant MAX_AT_ONCE = 20;

    struct Sheet {
        address owner;
        uint256 face;
        bool redeemed;
    }

    address public postmaster;
    bool public selling = true;
    uint256 public outstanding;

    Sheet[] public sheets;

    event Bought(uint256 indexed id, address indexed owner, uint256 face);
    event Gave(uint256 indexed id, address indexed to);
    event Redeemed(address indexed owner, uint256 number, uint256 value);

    modifier onlyPostmaster() {
        require(msg.sender == postmaster, "postmaster only");
        _;
    }

    constructor() public {
        postmaster = msg.sender;
    }

    function setSelling(bool yes) external onlyPostmaster {
        selling = yes;
    }

    function retire(address next) external onlyPostmaster {
        require(next != address(0), "nobody");
        postmaster = next;
    }

    function buy() external payable returns (uint256 id) {
        require(selling, "the counter is closed");
        require(msg.value > 0, "nothing paid");
        id = sheets.length;
        sheets.push(Sheet(msg.sender, msg.value, false));
        outstanding += 1;
        emit Bought(id, msg.sender, msg.value);
    }

    function give(uint256 id, address to) external {
        require(to != address(0), "to nobody");
        require(id < sheets.length && sheets[id].owner == msg.sender, "not your sheet");
        require(!sheets[id].redeemed, "redeemed");
        sheets[id].owner = to;
        emit Gave(id, to);
    }

    function redeem(uint256[] calldata ids) external {
        require(ids.length > 0 && ids.length <= MAX_AT_ONCE, "one to twenty sheets");
        uint256 value = 0;
        for (uint256 i = 0; i < ids.length; i++) {
            require(ids[i] < sheets.length, "no such sheet");
            Sheet storage sheet = sheets[ids[i]];
            require(sheet.owner == msg.sender, "not your sheet");
            require(!sheet.redeemed, "redeemed before");
            value += sheet.face;
        }
        for (uint256 i = 0; i < ids.length; i++) {
            if (!sheets[ids[i]].redeemed) {
                sheets[ids[i]].redeemed = true;
                outstanding -= 1;
            }
        }
        emit Redeemed(msg.sender, ids.length, value);
        msg.sender.transfer(value); //~ ERROR ether-theft
    }

    function count() external view returns (uint256) {
        return sheets.length;
    }
}
