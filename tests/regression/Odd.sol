// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Sorted {
    struct Range {
        uint256 low;
        uint256 high;
    }

    function sum(uint256[] calldata numbers) external pure returns (uint256 total) {
        for (uint256 i = 0; i < numbers.length; i++) {
            assert(i == 0 || numbers[i - 1] <= numbers[i]);
            unchecked {
                total += numbers[i];
            }
        }
    }

    function within(Range calldata range, bytes calldata data, string calldata text, int8 number) external pure {
        assert(range.low <= range.high || data.length == 0 || bytes(text).length == 0 || number >= 0);
    }

    function plain(bytes calldata data, string calldata text, int8 number, bytes4 selector, bool flag) external pure {
        assert(data.length == 0 || bytes(text).length == 0 || number >= 0 || selector == 0 || !flag);
    }
}

contract Genesis {
    uint256 public part;

    constructor(uint256 total, uint256 parts) payable {
        part = total / parts;
    }
}

contract Options {
    enum Mode {
        Off,
        On
    }

    Mode public mode;
    uint256[] public weights;

    constructor(Mode mode_, uint256[] memory weights_) {
        assert(weights_.length < 3);
        mode = mode_;
        weights = weights_;
    }

    function off() external view {
        assert(mode == Mode.Off);
    }
}

contract Test {
    function fail(address who) external view {
        assert(who != address(this));
    }
}

contract alice {
    function run() external pure {
        assert(false);
    }
}

contract Beacon {
    event AssertionFailed(string reason);
    event Seen(uint256 number);

    constructor(bool dark) {
        if (dark) emit AssertionFailed("dark");
    }

    function see(uint256 number) external {
        emit Seen(number);
        if (number == 7) emit AssertionFailed("seven");
    }
}

contract Place {
    function check(uint256[5] calldata expected) external payable {
        bool same = uint160(address(this)) == expected[0] && block.timestamp == expected[1] && block.number == expected[2]
            && block.chainid == expected[3] && msg.sender.balance == expected[4] && tx.origin == msg.sender;
        assert(!same);
    }
}

library Halves {
    function half(uint256 number) external pure returns (uint256) {
        assert(number % 2 == 0);
        return number / 2;
    }
}

contract Linked {
    uint256 public value;

    function set(uint256 number) external {
        value = Halves.half(number);
    }
}

contract Wrapper {
    Test public immutable inner = new Test();

    error Failed();

    function run() external view {
        try inner.fail(address(inner)) {} catch {
            revert Failed();
        }
    }
}
