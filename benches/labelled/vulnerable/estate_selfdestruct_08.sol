// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Estate of a living person
/// @notice While the owner signs now and then, only they can spend. After a long
///         silence an heir may open the succession, and after a time in which the
///         owner can object, the estate is wound up.
contract Estate {
    uint256 public constant SILENCE = 30 days;
    uint256 public constant OBJECTION = 3 days;

    address public owner;
    uint256 public lastSign;
    address[] public heirs;
    mapping(address => uint256) public positionOf;

    address public claimant;
    uint256 public openedAt;

    event Signed();
    event HeirNamed(address indexed heir);
    event HeirStruck(address indexed heir);
    event SuccessionOpened(address indexed claimant);
    event Objected(address indexed claimant);

    constructor(address firstHeir) payable {
        owner = msg.sender;
        lastSign = block.timestamp;
        _name(firstHeir);
    }

    modifier onlyOwner() {
        require(msg.sender == owner, "not the owner");
        lastSign = block.timestamp;
        _;
    }

    modifier onlyHeir() {
        require(positionOf[msg.sender] < heirs.length, "not an heir");
        _;
    }

    receive() external payable {}

    function sign() external onlyOwner {
        emit Signed();
    }

    function spend(address payable to, uint256 amount) external onlyOwner {
        (bool ok,) = to.call{value: amount}("");
        require(ok, "not accepted");
    }

    function nameHeir(address heir) external onlyOwner {
        _name(heir);
    }

    function strikeHeir(uint256 position) external onlyOwner {
        require(heirs.length > 1, "the last heir");
        address gone = heirs[position];
        address last = heirs[heirs.length - 1];
        heirs[position] = last;
        positionOf[last] = position;
        heirs.pop();
        delete positionOf[gone];
        emit HeirStruck(gone);
    }

    function object() external onlyOwner {
        require(claimant != address(0), "no succession");
        emit Objected(claimant);
        claimant = address(0);
        openedAt = 0;
    }

    function openSuccession() external onlyHeir {
        require(claimant == address(0), "already open");
        require(block.timestamp > lastSign + SILENCE, "the owner is alive");
        claimant = msg.sender;
        openedAt = block.timestamp;
        emit SuccessionOpened(msg.sender);
    }

    /// @notice Winds up the estate. The heirs share outside, as the will says.
    function windUp(address payable to) external {
        require(msg.sender == claimant, "not the claimant");
        require(block.timestamp > openedAt + OBJECTION, "the owner may object");
        selfdestruct(to); //~ ERROR self-destruct
    }

    function heirCount() external view returns (uint256) {
        return heirs.length;
    }

    function _name(address heir) private {
        require(heir != address(0) && heir != owner, "heir");
        for (uint256 i = 0; i < heirs.length; i++) {
            require(heirs[i] != heir, "named already");
        }
        positionOf[heir] = heirs.length;
        heirs.push(heir);
        emit HeirNamed(heir);
    }
}
