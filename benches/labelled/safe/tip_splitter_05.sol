pragma solidity ^0.5.0;

/// Splits the tips of a restaurant among the crew.
contract TipSplitter {
    uint256 public constant MAX_CREW = 8;

    address payable public owner;
    address payable[] public crew;
    uint256 public kitty;

    mapping(address => bool) public inCrew;
    mapping(address => uint256) public owed;

    event Hired(address indexed waiter);
    event Tipped(address indexed guest, uint256 amount);
    event Deferred(address indexed waiter, uint256 amount);

    modifier onlyOwner() {
        require(msg.sender == owner, "not the owner");
        _;
    }

    constructor() public {
        owner = msg.sender;
        inCrew[msg.sender] = true;
        crew.push(msg.sender);
    }

    function hire(address payable waiter) external onlyOwner {
        require(waiter != address(0), "nobody");
        require(!inCrew[waiter], "already hired");
        require(crew.length < MAX_CREW, "crew is complete");
        inCrew[waiter] = true;
        crew.push(waiter);
        emit Hired(waiter);
    }

    function tip() external payable {
        uint256 size = crew.length;
        require(msg.value >= size * 1000, "too little to split");
        uint256 share = msg.value / size;
        kitty += msg.value - share * size;
        emit Tipped(msg.sender, msg.value);
        for (uint256 i = 0; i < size; i++) {
            if (!crew[i].send(share)) {
                owed[crew[i]] += share;
                emit Deferred(crew[i], share);
            }
        }
    }

    function claimOwed(address payable to) external {
        require(to != address(0), "no receiver");
        uint256 amount = owed[msg.sender];
        require(amount > 0, "nothing owed");
        owed[msg.sender] = 0;
        to.transfer(amount);
    }

    function emptyKitty() external onlyOwner {
        uint256 amount = kitty;
        kitty = 0;
        owner.transfer(amount);
    }
}
