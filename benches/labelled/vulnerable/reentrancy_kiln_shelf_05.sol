pragma solidity ^0.5.0;

/// Shelves of a shared kiln. A piece stands there against a deposit until its potter takes it back.
contract KilnShelf {
    struct Piece {
        address payable potter;
        uint64 cone;
        uint256 deposit;
        bytes32 glaze;
    }

    address payable public studio;
    uint256 public firingFee;
    uint256 public earned;
    bool public accepting = true;

    Piece[] public pieces;
    mapping(address => uint256) public piecesOf;

    event Placed(uint256 indexed place, address indexed potter, uint256 deposit);
    event TakenBack(address indexed potter, uint256 deposit);
    event FeeChanged(uint256 fee);

    modifier onlyStudio() {
        require(msg.sender == studio, "studio only");
        _;
    }

    constructor(uint256 _firingFee) public {
        require(_firingFee <= 1 ether, "fee out of range");
        studio = msg.sender;
        firingFee = _firingFee;
    }

    function setFee(uint256 fee) external onlyStudio {
        require(fee <= 1 ether, "fee out of range");
        firingFee = fee;
        emit FeeChanged(fee);
    }

    function setAccepting(bool yes) external onlyStudio {
        accepting = yes;
    }

    /// What is sent beyond the fee is the deposit.
    function place(uint64 cone, bytes32 glaze) external payable returns (uint256 at) {
        require(accepting, "the kiln is full");
        require(msg.value > firingFee, "no deposit");
        require(piecesOf[msg.sender] < 10, "too many pieces");
        at = pieces.length;
        uint256 deposit = msg.value - firingFee;
        pieces.push(Piece(msg.sender, cone, deposit, glaze));
        piecesOf[msg.sender] += 1;
        earned += firingFee;
        emit Placed(at, msg.sender, deposit);
    }

    function takeBack(uint256 at) external {
        require(at < pieces.length, "empty place");
        Piece memory piece = pieces[at];
        require(piece.potter == msg.sender, "not your piece");
        (bool ok, ) = msg.sender.call.value(piece.deposit)(""); //~ ERROR reentrancy
        require(ok, "deposit not taken");
        clear(at);
        if (piecesOf[msg.sender] > 0) {
            piecesOf[msg.sender] -= 1;
        }
        emit TakenBack(msg.sender, piece.deposit);
    }

    function count() external view returns (uint256) {
        return pieces.length;
    }

    function collect() external onlyStudio {
        uint256 value = earned;
        earned = 0;
        studio.transfer(value);
    }

    function clear(uint256 at) private {
        uint256 last = pieces.length - 1;
        if (at < last) {
            pieces[at] = pieces[last];
        }
        pieces.pop();
    }
}
