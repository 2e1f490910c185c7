pragma solidity ^0.5.0;

contract ScoreLibrary {
    uint256 public storedScore;

    function setScore(uint256 score) public {
        storedScore = score;
    }
}

contract Arcade {
    address public scoreLibrary; //~ ERROR layout-collision
    address public owner;
    uint256 public storedScore;
    uint256 public submissions;
    bytes32 public gameName;

    mapping(address => uint256) public playsOf;
    mapping(address => bool) public banned;

    event Played(address indexed player, uint256 plays);
    event Submitted(address indexed player, uint256 score);
    event Banned(address indexed player);

    modifier onlyOwner() {
        require(msg.sender == owner, "owner only");
        _;
    }

    modifier notBanned() {
        require(!banned[msg.sender], "banned");
        _;
    }

    constructor(bytes32 _gameName) public {
        owner = msg.sender;
        gameName = _gameName;
        scoreLibrary = address(new ScoreLibrary());
    }

    function play() external notBanned {
        playsOf[msg.sender] += 1;
        emit Played(msg.sender, playsOf[msg.sender]);
    }

    function submitScore(uint256 score) external notBanned {
        (bool ok, ) = scoreLibrary.delegatecall(abi.encodeWithSignature("setScore(uint256)", score)); //~ ERROR delegatecall
        require(ok, "score was not stored");
        submissions += 1;
        emit Submitted(msg.sender, score);
    }

    function ban(address player) external onlyOwner {
        banned[player] = true;
        emit Banned(player);
    }

    function transferOwnership(address newOwner) external onlyOwner {
        require(newOwner != address(0), "no owner");
        owner = newOwner;
    }
}
