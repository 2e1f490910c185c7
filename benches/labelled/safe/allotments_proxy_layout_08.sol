// Sound: the proxy and its logic inherit the same storage contract, so that each variable that both know has one place, and what only the proxy needs is in the slots of ERC-1967.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Everything that is kept in storage, for the proxy and the logic alike
abstract contract AllotmentStorage {
    struct Plot {
        address gardener;
        uint96 deposit;
        uint64 since;
        uint64 noticeEnds;
    }

    address internal chairman;
    bool internal frozen;
    uint96 internal depositAsked;
    mapping(uint256 => Plot) internal plots;
    mapping(address => uint256) internal plotsOf;
    uint256 internal plotCount;
}

contract AllotmentProxy is AllotmentStorage {
    bytes32 private constant IMPLEMENTATION = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;

    event Upgraded(address indexed implementation);

    constructor(address implementation, uint96 deposit, uint16 count) {
        chairman = msg.sender;
        depositAsked = deposit;
        plotCount = uint256(count) + 4;
        _set(implementation);
    }

    function upgradeTo(address implementation) external {
        require(msg.sender == chairman, "not the chairman");
        _set(implementation);
    }

    function setFrozen(bool value) external {
        require(msg.sender == chairman, "not the chairman");
        frozen = value;
    }

    fallback() external payable {
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), sload(IMPLEMENTATION), 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }

    function _set(address implementation) private {
        require(implementation.code.length > 0, "no code");
        assembly {
            sstore(IMPLEMENTATION, implementation)
        }
        emit Upgraded(implementation);
    }
}

/// @title Allotment gardens that are let against a deposit
contract AllotmentLogic is AllotmentStorage {
    uint256 public constant NOTICE = 14 days;

    event Let(uint256 indexed plot, address indexed gardener, uint256 deposit);
    event NoticeGiven(uint256 indexed plot, uint256 ends);
    event Returned(uint256 indexed plot, address indexed gardener);

    modifier onlyGardener(uint256 plot) {
        require(plots[plot].gardener == msg.sender, "not your plot");
        _;
    }

    function take(uint256 plot) external payable {
        require(!frozen, "frozen");
        require(plot < plotCount && plots[plot].gardener == address(0), "not to let");
        require(msg.value == depositAsked && msg.value > 0, "the deposit");
        plots[plot] = Plot(msg.sender, uint96(msg.value), uint64(block.timestamp), 0);
        plotsOf[msg.sender] += 1;
        emit Let(plot, msg.sender, msg.value);
    }

    function giveNotice(uint256 plot) external onlyGardener(plot) {
        require(plots[plot].noticeEnds == 0, "given already");
        plots[plot].noticeEnds = uint64(block.timestamp + NOTICE);
        emit NoticeGiven(plot, block.timestamp + NOTICE);
    }

    function leave(uint256 plot) external onlyGardener(plot) {
        Plot memory p = plots[plot];
        require(p.noticeEnds != 0 && block.timestamp >= p.noticeEnds, "give notice first");
        delete plots[plot];
        plotsOf[msg.sender] -= 1;
        (bool ok,) = msg.sender.call{value: p.deposit}("");
        require(ok, "not accepted");
        emit Returned(plot, msg.sender);
    }

    function passOn(uint256 plot, address to) external onlyGardener(plot) {
        require(to != address(0) && plots[plot].noticeEnds == 0, "cannot be passed on");
        plots[plot].gardener = to;
        plotsOf[msg.sender] -= 1;
        plotsOf[to] += 1;
    }

    function setDeposit(uint96 deposit) external {
        require(msg.sender == chairman, "not the chairman");
        depositAsked = deposit;
    }

    function gardenerOf(uint256 plot) external view returns (address) {
        return plots[plot].gardener;
    }

    function plotsHeldBy(address gardener) external view returns (uint256) {
        return plotsOf[gardener];
    }
}
