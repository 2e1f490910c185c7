// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Fees of freelance translators
/// @notice A publisher books the fee for a text, and the translator collects
/// everything that is due in one go.
contract TranslatorFees {
    struct Text {
        address publisher;
        address translator;
        uint256 fee;
        bytes32 title;
    }

    mapping(address => uint256) public due;
    mapping(address => uint256) public collected;
    Text[] private texts;

    event Booked(uint256 indexed id, address indexed translator, uint256 fee);
    event Collected(address indexed translator, uint256 amount, bool accepted);

    error NothingDue();
    error NoSuchText(uint256 id);

    function book(address translator, bytes32 title) external payable returns (uint256 id) {
        require(translator != address(0), "no translator");
        require(msg.value > 0, "no fee");
        id = texts.length;
        texts.push(Text(msg.sender, translator, msg.value, title));
        due[translator] += msg.value;
        emit Booked(id, translator, msg.value);
    }

    function collect() external {
        uint256 amount = due[msg.sender];
        if (amount == 0) revert NothingDue();
        due[msg.sender] = 0;
        collected[msg.sender] += amount;
        (bool accepted, ) = payable(msg.sender).call{value: amount}(""); //~ ERROR unchecked-call
        emit Collected(msg.sender, amount, accepted);
    }

    function textAt(uint256 id) external view returns (Text memory) {
        if (id >= texts.length) revert NoSuchText(id);
        return texts[id];
    }

    function textCount() external view returns (uint256) {
        return texts.length;
    }
}
