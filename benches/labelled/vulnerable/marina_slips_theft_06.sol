// SPDX-License-Identifier: GPL-3.0
pragma solidity ^0.6.0;

/// Guests of the marina leave a deposit for each slip that they use. The
/// deposit is paid back when they settle, which also frees their slips.
contract MarinaSlips {
    uint256 public constant SLIPS = 200;
    uint256 public constant MINIMUM = 1 gwei;

    address public harbourMaster;
    bool public full;
    mapping(uint256 => address) private holder;
    mapping(address => uint256) public depositOf;
    mapping(address => string) public boatOf;

    event Booked(address indexed guest, uint256 indexed slip);
    event Settled(address indexed guest, uint256 amount);

    constructor() public {
        harbourMaster = msg.sender;
    }

    function setFull(bool value) external {
        require(msg.sender == harbourMaster, "only the harbour master");
        full = value;
    }

    function nameBoat(string calldata name) external {
        require(bytes(name).length <= 40, "too long for the board");
        boatOf[msg.sender] = name;
    }

    function isFree(uint256 slip) public view returns (bool) {
        return depositOf[holder[slip]] == 0;
    }

    /// One deposit is due for each of the slips.
    function book(uint256[] calldata slips) external payable {
        require(!full, "the marina is full");
        require(slips.length > 0 && slips.length <= 5, "one to five slips");
        for (uint256 i = 0; i < slips.length; i++) {
            uint256 slip = slips[i];
            require(slip < SLIPS, "no such slip");
            require(isFree(slip), "taken");
            require(msg.value >= MINIMUM, "deposit too small");
            holder[slip] = msg.sender;
            depositOf[msg.sender] += msg.value;
            emit Booked(msg.sender, slip);
        }
    }

    function settle() external {
        uint256 amount = depositOf[msg.sender];
        require(amount > 0, "no deposit");
        depositOf[msg.sender] = 0;
        msg.sender.transfer(amount); //~ ERROR ether-theft
        emit Settled(msg.sender, amount);
    }

    function holderOf(uint256 slip) external view returns (address) {
        return isFree(slip) ? address(0) : holder[slip];
    }
}
