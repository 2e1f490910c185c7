// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface Vm {
    function prank(address) external;
    function prank(address, address) external;
    function startPrank(address) external;
    function startPrank(address, address) external;
    function stopPrank() external;
    function expectRevert() external;
    function expectRevert(bytes calldata) external;
    function expectRevert(address) external;
    function expectRevert(uint64) external;
    function expectRevert(bytes calldata, uint64) external;
    function expectPartialRevert(bytes4) external;
    function expectEmit() external;
    function expectEmit(address) external;
    function expectEmit(bool, bool, bool, bool) external;
    function expectEmit(uint64) external;
    function expectEmitAnonymous() external;
    function expectCall(address, bytes calldata) external;
    function expectCall(address, bytes calldata, uint64) external;
    function expectCall(address, uint256, bytes calldata) external;
    function mockCall(address, bytes calldata, bytes calldata) external;
    function mockCallRevert(address, bytes calldata, bytes calldata) external;
    function clearMockedCalls() external;
    function snapshotState() external returns (uint256);
    function revertToState(uint256) external returns (bool);
    function deal(address, uint256) external;
    function store(address, bytes32, bytes32) external;
    function warp(uint256) external;
    function assumeNoRevert() external;
    function assume(bool) external;
    function broadcast(address) external;
    function startBroadcast(address) external;
    function stopBroadcast() external;
    function etch(address, bytes calldata) external;
    function record() external;
    function recordLogs() external;

    struct Log {
        bytes32[] topics;
        bytes data;
        address emitter;
    }
    function getRecordedLogs() external returns (Log[] memory);
    function accesses(address) external returns (bytes32[] memory, bytes32[] memory);
    function stopRecord() external;
    function load(address, bytes32) external returns (bytes32);
    function mockCalls(address, bytes calldata, bytes[] calldata) external;
    function mockFunction(address, address, bytes calldata) external;
    function prank(address, bool) external;
    function startPrank(address, address, bool) external;
    function expectEmitAnonymous(address) external;
    function resetNonce(address) external;
    function roll(uint256) external;
    function chainId(uint256) external;
    function txGasPrice(uint256) external;
    function coinbase(address) external;
    function expectCallMinGas(address, uint256, uint64, bytes calldata) external;
    function deployCode(string calldata) external returns (address);
    function _expectCheatcodeRevert() external;
    function cool(address) external;
    function revertToStateAndDelete(uint256) external returns (bool);
    function deleteStateSnapshots() external;
    function setBlockhash(uint256, bytes32) external;
    function copyStorage(address, address) external;
    function expectCreate2(bytes calldata, address) external;
    function addr(uint256) external returns (address);
    function readCallers() external returns (uint8, address, address);
    function getNonce(address) external returns (uint64);
    function setNonce(address, uint64) external;
    function expectCreate(bytes calldata, address) external;
    function interceptInitcode() external;
}
Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

contract Leaf {
    event L(uint256 x);
    uint256 public n;
    address public who;
    constructor() payable {}

    function hit(uint256 x) external payable returns (uint256) {
        n += x;
        who = msg.sender;
        emit L(x);
        require(x != 7, "seven");
        return n;
    }

    function quiet() external view returns (uint256) {
        return n;
    }
}

contract Node {
    Leaf public leaf = new Leaf();
    event N(uint256 indexed a, uint256 b);
    error Bad(uint256 x);

    function go(uint256 x) external payable returns (uint256) {
        emit N(x, x);
        if (x == 3) revert Bad(x);
        return leaf.hit(x);
    }

    function tryGo(uint256 x) external {
        try leaf.hit(x) {
            emit N(1, x);
        }
            catch {
            emit N(0, x);
        }
    }

    function make() external returns (address) {
        return address(new Leaf());
    }

    function orig() external view returns (address, address) {
        return (msg.sender, tx.origin);
    }
}

contract Alt {
    uint256 public n = 5;

    function hit(uint256 x) external payable returns (uint256) {
        n += 2 * x;
        return 1000 + n;
    }
}

contract RandomTest {
    Alt alt = new Alt();
    receive() external payable {}
    Node node;
    Leaf leaf;
    event L(uint256 x);
    event N(uint256 indexed a, uint256 b);
    uint256 acc;
    bytes32 h;
    uint256 snap;

    function setUp() public {
        node = new Node();
        leaf = new Leaf();
    }

    function note(bytes memory b) internal {
        h = keccak256(abi.encodePacked(h, b));
    }

    function inner(uint256 k) external {
        if (k == 0) {
            vm.prank(address(0x77));
        } else if (k == 1) {
            vm.expectRevert();
            node.go(3);
        } else if (k == 2) {
            vm.startPrank(address(0x78));
            leaf.hit(1);
        } else if (k == 3) {
            leaf.hit(7);
        } else if (k == 4) {
            vm.expectEmit();
            emit L(1);
            leaf.hit(1);
        } else if (k == 5) {
            vm.stopPrank();
        } else if (k == 6) {
            vm.warp(500);
            leaf.hit(1);
            revert("back");
        } else if (k == 7) {
            vm.snapshotState();
            leaf.hit(2);
            vm.revertToState(0);
        } else if (k == 8) {
            this.inner(0);
            this.inner(4);
        } else {
            vm.prank(address(0x76), address(0x75));
            this.inner(1);
            node.go(1);
        }
    }

    function done(bytes32 salt) internal view {
        (address o) = tx.origin;
        revert(
            string(
                abi.encodePacked(
                    "H",
                    toHex(
                        keccak256(
                            abi.encode(
                                h,
                                leaf.n(),
                                node.leaf().n(),
                                leaf.who(),
                                o,
                                address(leaf).balance,
                                address(node).balance,
                                block.timestamp,
                                block.number,
                                block.chainid,
                                tx.gasprice,
                                salt
                            )
                        )
                    )
                )
            )
        );
    }

    function toHex(bytes32 b) internal pure returns (bytes memory r) {
        r = new bytes(16);
        for (uint256 i; i < 16; i++) {
            r[i] = bytes1(uint8(97 + uint8(b[i]) % 16));
        }
    }
}
