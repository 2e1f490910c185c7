pragma solidity ^0.4.24;

// Two guests of the tavern put the same stake on the table. Then anybody may
// call for the dice, and one of the two takes it all.
contract DiceTable {
    uint256 public constant STAKE = 10 szabo;

    address private first;
    address private second;
    uint256 public rounds;
    mapping(address => uint256) public wins;

    event Seated(address indexed guest);
    event Left(address indexed guest);
    event Won(address indexed guest, uint256 amount);

    function sit() public payable {
        require(msg.value == STAKE);
        require(second == address(0));
        if (first == address(0)) {
            first = msg.sender;
        } else {
            require(msg.sender != first);
            second = msg.sender;
        }
        emit Seated(msg.sender);
    }

    // Nobody has to wait for an opponent forever.
    function leave() public {
        require(msg.sender == first);
        require(second == address(0));
        first = address(0);
        msg.sender.transfer(STAKE);
        emit Left(msg.sender);
    }

    function roll() public {
        require(first != address(0) && second != address(0));
        rounds += 1;
        uint256 dice = uint256(keccak256(abi.encodePacked(now, rounds))) % 12;
        address winner = dice < 6 ? first : second;
        first = address(0);
        second = address(0);
        wins[winner] += 1;
        winner.transfer(2 * STAKE); //~ ERROR timestamp
        emit Won(winner, 2 * STAKE);
    }

    function seated() public view returns (uint256) {
        if (first == address(0)) return 0;
        return second == address(0) ? 1 : 2;
    }
}
