// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// The owner hands out prizes in batches, winners fetch them.
contract PrizeBook {
    address public immutable owner;
    uint256 public promised;
    mapping(address => uint256) public prizeOf;

    event PrizeAdded(address indexed winner, uint256 amount);
    event PrizeTaken(address indexed winner, uint256 amount);

    error NotOwner();
    error LengthMismatch();
    error Underfunded();
    error NoPrize();
    error PaymentFailed();

    modifier onlyOwner() {
        if (msg.sender != owner) revert NotOwner();
        _;
    }

    constructor() payable {
        owner = msg.sender;
    }

    receive() external payable {}

    function addPrizes(address[] calldata winners, uint256[] calldata amounts) external payable onlyOwner {
        uint256 length = winners.length;
        if (length != amounts.length) revert LengthMismatch();
        uint256 sum;
        for (uint256 i; i < length;) {
            prizeOf[winners[i]] += amounts[i];
            sum += amounts[i]; // checked
            emit PrizeAdded(winners[i], amounts[i]);
            unchecked {
                ++i; // i < length
            }
        }
        promised += sum;
        if (address(this).balance < promised) revert Underfunded();
    }

    function takePrize() external {
        uint256 amount = prizeOf[msg.sender];
        if (amount == 0) revert NoPrize();
        prizeOf[msg.sender] = 0;
        unchecked {
            promised -= amount; // promised is the sum of all prizes
        }
        (bool ok,) = msg.sender.call{value: amount}("");
        if (!ok) revert PaymentFailed();
        emit PrizeTaken(msg.sender, amount);
    }

    function prizesOf(address[] calldata who) external view returns (uint256[] memory out) {
        out = new uint256[](who.length);
        for (uint256 i = 0; i < who.length; i = _inc(i)) {
            out[i] = prizeOf[who[i]];
        }
    }

    function _inc(uint256 i) private pure returns (uint256) {
        unchecked {
            return i + 1;
        }
    }
}
