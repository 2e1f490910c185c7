// SPDX-License-Identifier: MIT
pragma solidity ^0.6.0;

/// The pilot station of a strait. Ships pay their dues and report their draught.
/// What a later version may need stands behind hashes, out of the way of new variables.
contract PilotStation {
    bytes32 private constant PILOT_SLOT = keccak256("strait.pilot.station");
    bytes32 private constant DEEPEST_SLOT = keccak256("strait.pilot.station");
    bytes32 private constant DUES_SLOT = keccak256("strait.pilot.dues");

    uint256 public constant MAX_DRAUGHT = 2500;

    mapping(address => uint256) public passages;
    uint256 public collected;

    event Passed(address indexed ship, uint256 draught, uint256 paid);
    event DuesSet(uint256 dues);

    constructor(uint256 initialDues) public {
        require(initialDues <= 1 ether, "dues out of range");
        bytes32 slot = PILOT_SLOT;
        assembly {
            sstore(slot, caller())
        }
        _setDues(initialDues);
    }

    modifier onlyPilot() {
        require(msg.sender == pilot(), "pilot only");
        _;
    }

    function pilot() public view returns (address who) {
        bytes32 slot = PILOT_SLOT;
        assembly {
            who := sload(slot)
        }
    }

    function dues() public view returns (uint256 value) {
        bytes32 slot = DUES_SLOT;
        assembly {
            value := sload(slot)
        }
    }

    function deepest() public view returns (uint256 value) {
        bytes32 slot = DEEPEST_SLOT;
        assembly {
            value := sload(slot)
        }
    }

    function setDues(uint256 value) external onlyPilot {
        require(value <= 1 ether, "dues out of range");
        _setDues(value);
    }

    /// The draught is in centimetres. That of the last deep ship is kept for the chart.
    function pass(uint256 draught, bool deep) external payable {
        require(draught > 0 && draught <= MAX_DRAUGHT, "cannot pass");
        require(msg.value == dues(), "not the dues");
        passages[msg.sender] += 1;
        if (deep) {
            bytes32 slot = DEEPEST_SLOT;
            assembly {
                sstore(slot, draught) //~ ERROR slot-collision
            }
        }
        emit Passed(msg.sender, draught, msg.value);
    }

    function collect() external onlyPilot {
        uint256 value = address(this).balance;
        collected += value;
        msg.sender.transfer(value);
    }

    function _setDues(uint256 value) private {
        bytes32 slot = DUES_SLOT;
        assembly {
            sstore(slot, value)
        }
        emit DuesSet(value);
    }
}
