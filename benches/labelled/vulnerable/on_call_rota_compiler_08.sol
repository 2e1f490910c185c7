// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Rota of the vets who are on call
/// @notice Farmers pay a fee when they call at night, and it goes to the vet whose
///         turn it is. Vets hand over when their shift is done.
contract OnCallRota {
    uint256 public constant CALL_FEE = 3 gwei;
    uint256 public constant SHIFT = 12 hours;

    address[] public vets;
    mapping(address => uint256) public placeOf; // one more than the index
    mapping(address => uint256) public earned;
    mapping(address => uint256) public shiftsDone;

    uint256 public turn;
    uint256 public shiftStart;
    uint256 public calls;

    event Joined(address indexed vet);
    event Left(address indexed vet);
    event HandedOver(address indexed from, address indexed to);
    event Called(address indexed farmer, address indexed vet);

    constructor() {
        _add(msg.sender);
        shiftStart = block.timestamp;
    }

    function join() external {
        require(placeOf[msg.sender] == 0, "on the rota");
        require(vets.length < 50, "full");
        _add(msg.sender);
    }

    /// @notice The last one of the list takes the place of whoever leaves.
    function leave() external {
        uint256 place = placeOf[msg.sender];
        require(place != 0, "not on the rota");
        require(vets.length > 1, "somebody has to be on call");
        address last = vets[vets.length - 1];
        if (last != msg.sender) {
            vets[place - 1] = last;
            placeOf[last] = place;
        }
        vets.pop();
        delete placeOf[msg.sender];
        emit Left(msg.sender);
    }

    function handOver() external {
        address from = onCall();
        require(
            msg.sender == from || block.timestamp >= shiftStart + SHIFT, "the shift is not over"
        );
        shiftsDone[from] += 1;
        turn = (turn + 1) % vets.length;
        shiftStart = block.timestamp;
        emit HandedOver(from, vets[turn]);
    }

    function callOut() external payable {
        require(msg.value == CALL_FEE, "the fee");
        address vet = onCall();
        earned[vet] += msg.value;
        calls += 1;
        emit Called(msg.sender, vet);
    }

    function onCall() public view returns (address) {
        return vets[turn]; //~ ERROR compiler-check
    }

    function withdraw() external {
        uint256 amount = earned[msg.sender];
        require(amount > 0, "nothing");
        earned[msg.sender] = 0;
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok, "not accepted");
    }

    function vetCount() external view returns (uint256) {
        return vets.length;
    }

    function _add(address vet) private {
        vets.push(vet);
        placeOf[vet] = vets.length;
        emit Joined(vet);
    }
}
