// SPDX-License-Identifier: MIT
pragma solidity ^0.8.19;

/// @dev Payable, since it runs within a call that is.
interface IFormula {
    function premium(uint256 value, uint256 term) external payable returns (uint256);
}

contract FlatFormula is IFormula {
    function premium(uint256 value, uint256 term) external payable returns (uint256) {
        return (value * term) / 10_000;
    }
}

/// @notice Covers boats. Anybody may work out a formula for a premium; the author gets a note for each use.
contract BoatCover {
    struct Formula {
        address code;
        address author;
        uint64 uses;
    }

    struct Policy {
        uint256 value;
        uint256 until;
        uint256 paid;
    }

    address public underwriter;
    uint256 public reserve;
    Formula[] public formulas;
    mapping(address owner => Policy) public policies;

    event Submitted(uint256 indexed formula, address indexed author, address code);
    event Covered(address indexed owner, uint256 indexed formula, uint256 value, uint256 term, uint256 premium);
    event Settled(address indexed owner, uint256 amount);

    modifier onlyUnderwriter() {
        require(msg.sender == underwriter, "underwriter only");
        _;
    }

    constructor() {
        underwriter = msg.sender;
        _submit(address(new FlatFormula()), msg.sender);
    }

    function submit(address code) external returns (uint256) {
        require(code != address(0) && code != address(this), "what code");
        return _submit(code, msg.sender);
    }

    /// @notice What the premium would be is told by {Covered}; what is paid beyond it is for the reserve.
    function cover(uint256 formula, uint256 value, uint256 term) external payable {
        require(formula < formulas.length, "no such formula");
        require(value > 0 && value <= 100 ether, "value");
        require(term > 0 && term <= 365, "term");
        uint256 premium = _premium(formulas[formula].code, value, term);
        require(msg.value >= premium, "premium");
        formulas[formula].uses += 1;
        policies[msg.sender] = Policy(value, block.timestamp + term * 1 days, msg.value);
        reserve += msg.value;
        emit Covered(msg.sender, formula, value, term, premium);
    }

    function settle(address payable owner, uint256 amount) external onlyUnderwriter {
        Policy storage p = policies[owner];
        require(block.timestamp <= p.until && amount <= p.value, "not covered");
        p.value -= amount;
        reserve -= amount;
        emit Settled(owner, amount);
        owner.transfer(amount);
    }

    function formulaCount() external view returns (uint256) {
        return formulas.length;
    }

    function _submit(address code, address author) private returns (uint256 id) {
        id = formulas.length;
        formulas.push(Formula(code, author, 0));
        emit Submitted(id, author, code);
    }

    /// @dev In our own context, so that formulas can be libraries.
    function _premium(address code, uint256 value, uint256 term) private returns (uint256) {
        (bool ok, bytes memory said) = code.delegatecall(abi.encodeCall(IFormula.premium, (value, term))); //~ ERROR delegatecall
        require(ok, "formula failed");
        return said.length >= 32 ? abi.decode(said, (uint256)) : value;
    }
}
