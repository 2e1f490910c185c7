// Sound: the hash of a block only chooses the colour of a bib, and its number is a deadline; a runner is paid the own change or the own fee.
pragma solidity 0.7.6;

/// Runners enter a marathon, get a bib of some colour, and may withdraw until the list closes.
contract MarathonBibs {
    uint256 public constant FEE = 0.004 ether;
    uint256 public constant COLOURS = 6;

    address payable public immutable organiser;
    uint256 public immutable closes;

    uint256 public runners;
    uint256 public lastBib;
    bool public collected;
    mapping(uint256 => address) public runnerOf;
    mapping(address => uint256) public bibOf;
    mapping(address => uint256) public colourOf;

    event Entered(address indexed runner, uint256 bib, uint256 colour);
    event Withdrawn(address indexed runner, uint256 bib);

    constructor(uint32 blocksOpen) {
        require(blocksOpen > 0, "never open");
        organiser = msg.sender;
        closes = block.number + blocksOpen;
    }

    modifier whileOpen() {
        require(block.number < closes, "the list is closed");
        _;
    }

    /// What is paid beyond the fee is returned at once.
    function enter() external payable whileOpen {
        require(msg.value >= FEE, "the fee is higher");
        require(bibOf[msg.sender] == 0, "entered already");
        runners++;
        lastBib++;
        bibOf[msg.sender] = lastBib;
        runnerOf[lastBib] = msg.sender;

        uint256 colour = uint256(keccak256(abi.encode(blockhash(block.number - 1), lastBib))) % COLOURS;
        paint(msg.sender, colour);
        emit Entered(msg.sender, lastBib, colour);

        uint256 change = msg.value - FEE;
        if (change > 0) {
            msg.sender.transfer(change);
        }
    }

    function withdraw() external whileOpen {
        uint256 bib = bibOf[msg.sender];
        require(bib != 0, "not entered");
        runners--;
        delete bibOf[msg.sender];
        delete runnerOf[bib];
        paint(msg.sender, 0);
        emit Withdrawn(msg.sender, bib);
        msg.sender.transfer(FEE);
    }

    function collect() external {
        require(msg.sender == organiser, "not the organiser");
        require(block.number >= closes && !collected, "not yet, or not again");
        collected = true;
        organiser.transfer(runners * FEE);
    }

    /// Writes colourOf[runner].
    function paint(address runner, uint256 colour) private {
        assembly {
            mstore(0, runner)
            mstore(32, colourOf.slot)
            sstore(keccak256(0, 64), colour)
        }
    }
}
