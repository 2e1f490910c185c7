// By design: a failing call does not revert, its result is returned, logged and tested by finish().
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract CallBatch {
    struct Job {
        address target;
        uint96 value;
        bool tried;
        bool ok;
        bytes data;
    }

    address public immutable operator;
    Job[] public jobs;
    uint256 public failures;
    bool public finished;

    event JobAdded(uint256 indexed id, address target);
    event JobRun(uint256 indexed id, bool ok, bytes result);
    event Finished(uint256 count);

    modifier onlyOperator() {
        require(msg.sender == operator, "operator only");
        _;
    }

    constructor() payable {
        operator = msg.sender;
    }

    function add(address target, uint96 value, bytes calldata data) external payable onlyOperator returns (uint256 id) {
        require(!finished, "finished");
        require(target != address(0) && target != address(this), "target");
        id = jobs.length;
        jobs.push(Job(target, value, false, false, data));
        emit JobAdded(id, target);
    }

    function run(uint256 id) external payable onlyOperator returns (bool ok, bytes memory result) {
        Job storage j = jobs[id];
        require(!j.ok && !finished, "done");
        if (!j.tried) {
            j.tried = true;
            failures += 1; // until proven otherwise
        }
        j.ok = true;
        (ok, result) = j.target.call{value: j.value}(j.data);
        if (ok) {
            failures -= 1;
        } else {
            j.ok = false;
        }
        emit JobRun(id, ok, result);
    }

    /// a job that cannot succeed is given up
    function drop(uint256 id) external onlyOperator {
        Job storage j = jobs[id];
        require(!j.ok && !finished, "done");
        if (j.tried) failures -= 1;
        j.tried = true;
        j.ok = true;
    }

    function finish() external onlyOperator {
        require(failures == 0, "some jobs failed");
        finished = true;
        uint256 rest = address(this).balance;
        (bool ok,) = operator.call{value: rest}("");
        require(ok, "payment failed");
        emit Finished(jobs.length);
    }

    /// asks a contract something; the caller judges the answer
    function peek(address target, bytes calldata data) external view returns (bool ok, bytes memory answer) {
        (ok, answer) = target.staticcall(data);
    }
}
