// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Base} from "./Base.sol";

/// @notice Payment channels, each with a number that is a hash. Defect: what was claimed is paid back when it is closed.
contract Channels {
    struct Channel {
        uint256 deposit;
        uint256 claimed;
        bool open;
    }

    mapping(uint256 => Channel) public channels;
    uint256 public last;
    uint256 public received;
    uint256 public paid;

    function open(uint64 deposit) external returns (uint256 id) {
        id = uint256(keccak256(abi.encode(last, deposit)));
        last = id;
        channels[id] = Channel(deposit, 0, true);
        received += deposit;
    }

    function claim(uint256 id, uint64 amount) external {
        Channel storage channel = channels[id];
        require(channel.open && channel.claimed + amount <= channel.deposit, "Channels: not claimed");
        channel.claimed += amount;
        paid += amount;
    }

    function close(uint256 id) external {
        Channel storage channel = channels[id];
        require(channel.open, "Channels: not open");
        channel.open = false;
        paid += channel.deposit;
    }

    function closeLast() external {
        Channel storage channel = channels[last];
        require(channel.open, "Channels: not open");
        channel.open = false;
        paid += channel.deposit - channel.claimed;
    }

    function claimLast(uint64 amount) external {
        Channel storage channel = channels[last];
        require(channel.open && channel.claimed + amount <= channel.deposit, "Channels: not claimed");
        channel.claimed += amount;
        paid += amount;
    }
}

/// @notice Broken by opening a channel, claiming, and closing it by its number, which stands in the state only.
contract ChannelsTest is Base {
    Channels internal channels;

    function setUp() public {
        channels = new Channels();
    }

    function invariant_paysWhatItReceived() public view { //~ ERROR property
        assertLe(channels.paid(), channels.received());
    }
}
