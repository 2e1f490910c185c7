// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface Vm {
    function mockCall(address, bytes calldata, bytes calldata) external;
    function mockCall(address, uint256, bytes calldata, bytes calldata) external;
    function mockCall(address, bytes4, bytes calldata) external;
    function mockCall(address, uint256, bytes4, bytes calldata) external;
    function mockCalls(address, bytes calldata, bytes[] calldata) external;
    function mockCalls(address, uint256, bytes calldata, bytes[] calldata) external;
    function mockCallRevert(address, bytes calldata, bytes calldata) external;
    function mockCallRevert(address, uint256, bytes calldata, bytes calldata) external;
    function mockCallRevert(address, bytes4, bytes calldata) external;
    function mockCallRevert(address, uint256, bytes4, bytes calldata) external;
    function mockFunction(address, address, bytes calldata) external;
    function clearMockedCalls() external;
}

Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

contract Feed {
    uint256 public count;

    function price(uint256 of_) external pure returns (uint256) {
        return of_ * 2;
    }

    function pay() external payable returns (uint256) {
        return msg.value;
    }
}

contract Other {
    uint256 public count = 9;

    function price(uint256) external pure returns (uint256) {
        return 99;
    }
}

contract Reader {
    function read(Feed feed, uint256 of_) external view returns (uint256) {
        return feed.price(of_);
    }
}

contract MockTest {
    Feed feed;
    Reader reader;
    Feed constant NOBODY = Feed(address(0xf00d));

    function setUp() public {
        (feed, reader) = (new Feed(), new Reader());
    }

    function test_one_call() public {
        vm.mockCall(address(feed), abi.encodeCall(Feed.price, (3)), abi.encode(7));
        require(feed.price(3) == 7 && reader.read(feed, 3) == 7, "mocked");
        require(feed.price(4) == 8, "others");
        vm.mockCall(address(feed), abi.encodeCall(Feed.price, (3)), abi.encode(70));
        require(feed.price(3) == 70, "replaced");
        vm.clearMockedCalls();
        require(feed.price(3) == 6, "cleared");
    }

    function test_a_function() public {
        vm.mockCall(address(feed), abi.encodeWithSelector(Feed.price.selector), abi.encode(1));
        vm.mockCall(address(feed), abi.encodeCall(Feed.price, (5)), abi.encode(2));
        require(feed.price(3) == 1 && feed.price(5) == 2 && feed.price(6) == 1, "the closest");
        vm.mockCall(address(feed), Feed.price.selector, abi.encode(3));
        require(feed.price(3) == 3 && feed.price(5) == 2, "by selector");
    }

    function test_an_account_without_code() public {
        vm.mockCall(address(NOBODY), abi.encodeCall(Feed.price, (3)), abi.encode(7));
        require(NOBODY.price(3) == 7 && address(NOBODY).code.length == 1, "mocked");
    }

    function test_with_ether() public {
        vm.mockCall(address(feed), 5, abi.encodeCall(Feed.pay, ()), abi.encode(50));
        require(feed.pay{value: 5}() == 50 && feed.pay{value: 6}() == 6 && feed.pay() == 0, "value");
        require(address(feed).balance == 11, "a mocked call pays, too");
        vm.mockCall(address(feed), 7, Feed.pay.selector, abi.encode(70));
        require(feed.pay{value: 7}() == 70, "by selector");
    }

    function test_several() public {
        bytes[] memory answers = new bytes[](3);
        (answers[0], answers[1], answers[2]) = (abi.encode(1), abi.encode(2), abi.encode(3));
        vm.mockCalls(address(feed), abi.encodeCall(Feed.price, (3)), answers);
        require(feed.price(3) == 1 && feed.price(3) == 2 && feed.price(3) == 3 && feed.price(3) == 3, "in turn");
        vm.mockCalls(address(feed), 4, abi.encodeCall(Feed.pay, ()), answers);
        require(feed.pay{value: 4}() == 1 && feed.pay() == 0 && feed.pay{value: 4}() == 2, "value");
    }

    function fails(bytes memory data, uint256 value) internal returns (bytes memory) {
        (bool ok, bytes memory why) = address(feed).call{value: value}(data);
        require(!ok, "it reverts");
        return why;
    }

    function test_reverts() public {
        vm.mockCallRevert(address(feed), abi.encodeCall(Feed.price, (3)), "oh no");
        require(keccak256(fails(abi.encodeCall(Feed.price, (3)), 0)) == keccak256("oh no"), "data");
        vm.mockCallRevert(address(feed), Feed.price.selector, "each");
        require(keccak256(fails(abi.encodeCall(Feed.price, (4)), 0)) == keccak256("each"), "selector");
        vm.mockCallRevert(address(feed), 2, abi.encodeCall(Feed.pay, ()), "paid");
        require(keccak256(fails(abi.encodeCall(Feed.pay, ()), 2)) == keccak256("paid"), "value");
        vm.mockCallRevert(address(feed), 3, Feed.pay.selector, "paid more");
        require(keccak256(fails(abi.encodeCall(Feed.pay, ()), 3)) == keccak256("paid more"), "value and selector");
    }

    function test_functions() public {
        Other other = new Other();
        vm.mockFunction(address(feed), address(other), abi.encodeWithSelector(Feed.price.selector));
        require(feed.price(3) == 99 && feed.count() == 0, "the code of another contract");
    }
}

contract MockLastsTest {
    Feed feed = new Feed();

    function setUp() public {
        vm.mockCall(address(feed), abi.encodeCall(Feed.price, (3)), abi.encode(7));
    }

    function test_the_mock_of_set_up_lasts() public view {
        require(feed.price(3) == 7, "mocked");
    }
}
