// Sound: the length is compared before lines are struck out, so that it never wraps, and the assembly writes below that length only.
pragma solidity 0.4.26;

/// Referees write a report of a match line by line. They may correct a line, strike out the
/// last ones, and hand the report in; from then on it does not change any more.
contract RefereeReports {
    uint256 public reports;

    struct Report {
        address referee;
        bool handedIn;
        bytes32[] lines;
    }

    mapping(uint256 => Report) private reportOf;

    event Begun(uint256 indexed id, address indexed referee);
    event Written(uint256 indexed id, uint256 indexed line, bytes32 text);
    event Struck(uint256 indexed id, uint256 count);
    event HandedIn(uint256 indexed id, uint256 lines);

    modifier editing(uint256 id) {
        require(reportOf[id].referee == msg.sender, "not your report");
        require(!reportOf[id].handedIn, "handed in already");
        _;
    }

    function begin() external returns (uint256 id) {
        id = ++reports;
        reportOf[id].referee = msg.sender;
        emit Begun(id, msg.sender);
    }

    function write(uint256 id, bytes32 text) external editing(id) {
        uint256 line = reportOf[id].lines.push(text) - 1;
        emit Written(id, line, text);
    }

    function strike(uint256 id, uint256 count) external editing(id) {
        bytes32[] storage lines = reportOf[id].lines;
        require(count > 0 && count <= lines.length, "not that many lines");
        lines.length -= count;
        emit Struck(id, count);
    }

    function correct(uint256 id, uint256 line, bytes32 text) external editing(id) {
        bytes32[] storage lines = reportOf[id].lines;
        require(line < lines.length, "no such line");
        assembly {
            mstore(0, lines_slot)
            sstore(add(keccak256(0, 32), line), text)
        }
        emit Written(id, line, text);
    }

    function handIn(uint256 id) external editing(id) {
        require(reportOf[id].lines.length > 0, "an empty report");
        reportOf[id].handedIn = true;
        emit HandedIn(id, reportOf[id].lines.length);
    }

    function read(uint256 id, uint256 line) external view returns (bytes32) {
        require(line < reportOf[id].lines.length, "no such line");
        return reportOf[id].lines[line];
    }
}
