// Sound: anybody may have any code run by delegatecall, but the function that does so always reverts with the result, so that nothing the code did remains.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Stipends paid by a foundation, with a way to try out calls beforehand
contract StipendFund {
    struct Stipend {
        uint128 perMonth;
        uint64 next;
        uint32 monthsLeft;
    }

    error Tried(bool success, bytes result);

    uint256 public constant MONTH = 30 days;

    address public trustee;
    address public nextTrustee;
    mapping(address => Stipend) public stipends;
    uint256 public promised;

    event Granted(address indexed fellow, uint256 perMonth, uint256 monthsGranted);
    event Paid(address indexed fellow, uint256 amount);
    event Ended(address indexed fellow);

    constructor() payable {
        trustee = msg.sender;
    }

    modifier onlyTrustee() {
        require(msg.sender == trustee, "not the trustee");
        _;
    }

    receive() external payable {}

    function grant(address fellow, uint96 perMonth, uint16 monthsGranted) external onlyTrustee {
        require(fellow != address(0) && perMonth > 0 && monthsGranted > 0, "terms");
        require(stipends[fellow].monthsLeft == 0, "has one");
        uint256 sum = uint256(perMonth) * monthsGranted;
        require(promised + sum <= address(this).balance, "not covered");
        promised += sum;
        stipends[fellow] = Stipend(perMonth, uint64(block.timestamp + MONTH), monthsGranted);
        emit Granted(fellow, perMonth, monthsGranted);
    }

    function collect() external {
        Stipend storage s = stipends[msg.sender];
        require(s.monthsLeft > 0, "no stipend");
        require(block.timestamp >= s.next, "not yet");
        uint256 amount = s.perMonth;
        s.monthsLeft -= 1;
        s.next += uint64(MONTH);
        promised -= amount;
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok, "not accepted");
        emit Paid(msg.sender, amount);
    }

    function end(address fellow) external onlyTrustee {
        Stipend storage s = stipends[fellow];
        promised -= uint256(s.perMonth) * s.monthsLeft;
        delete stipends[fellow];
        emit Ended(fellow);
    }

    function withdrawFree(uint256 amount) external onlyTrustee {
        require(amount <= address(this).balance - promised, "promised to fellows");
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok, "not accepted");
    }

    function handOver(address to) external onlyTrustee {
        nextTrustee = to;
    }

    function takeOver() external {
        require(msg.sender == nextTrustee, "not named");
        trustee = msg.sender;
        nextTrustee = address(0);
    }

    /// @notice Runs code in the place of the fund, and undoes all of it.
    /// @dev Accountants read the storage in this way without a getter for every number.
    function tryOut(address code, bytes calldata data) external {
        (bool success, bytes memory result) = code.delegatecall(data);
        revert Tried(success, result);
    }

    /// @notice The same, but returns what came out.
    function preview(address code, bytes calldata data) external returns (bool success, bytes memory result) {
        try this.tryOut(code, data) {
            revert("unreachable");
        } catch (bytes memory reason) {
            require(reason.length >= 4 && bytes4(reason) == Tried.selector, "out of gas");
            bytes memory body = new bytes(reason.length - 4);
            for (uint256 i = 0; i < body.length; i++) {
                body[i] = reason[i + 4];
            }
            (success, result) = abi.decode(body, (bool, bytes));
        }
    }
}
