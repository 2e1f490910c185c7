pragma solidity 0.7.6;

/// A choir saves for its tour. The chair dissolves the fund in the end and sends all of it
/// to the travel agency. If the chair is not heard of for three months, a singer takes over.
contract ChoirTourFund {
    uint256 public constant ABSENCE = 90 days;
    uint256 public constant LEAST = 0.001 ether;

    address public chair;
    uint256 public lastHeardOf;
    uint256 public goal;
    uint256 public singers;

    mapping(address => uint256) public savedBy;

    event Saved(address indexed singer, uint256 amount);
    event Left(address indexed singer, uint256 amount);
    event NewChair(address indexed chair);
    event Dissolved(address indexed agency, uint256 amount);

    constructor(uint256 amount) {
        require(amount > 0, "odd goal");
        chair = msg.sender;
        goal = amount;
    }

    modifier onlyChair() {
        require(msg.sender == chair, "not the chair");
        _;
    }

    modifier onlySinger() {
        require(savedBy[msg.sender] > 0, "not a singer");
        _;
    }

    function save() external payable {
        require(msg.value >= LEAST, "a little more, please");
        if (savedBy[msg.sender] == 0) {
            singers++;
        }
        savedBy[msg.sender] += msg.value;
        emit Saved(msg.sender, msg.value);
    }

    /// Singers who cannot come along get back what they saved.
    function leave() external onlySinger {
        uint256 amount = savedBy[msg.sender];
        savedBy[msg.sender] = 0;
        singers--;
        emit Left(msg.sender, amount);
        msg.sender.transfer(amount);
    }

    function iAmHere() external onlyChair {
        lastHeardOf = block.timestamp;
    }

    function takeOver() external onlySinger {
        require(block.timestamp > lastHeardOf + ABSENCE, "the chair is here");
        chair = msg.sender;
        lastHeardOf = block.timestamp;
        emit NewChair(msg.sender);
    }

    function missing() external view returns (uint256) {
        uint256 saved = address(this).balance;
        return saved >= goal ? 0 : goal - saved;
    }

    function dissolve(address payable agency) external onlyChair {
        require(agency != address(0), "no agency");
        emit Dissolved(agency, address(this).balance);
        selfdestruct(agency); //~ ERROR self-destruct
    }
}
