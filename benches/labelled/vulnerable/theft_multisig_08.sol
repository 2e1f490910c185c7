// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
// Exploit: submit(attacker, balance), confirm(id) twice from one account (neither the owner nor the double vote is checked), execute(id).
contract PairWallet {
    struct Request {
        address payable to;
        uint256 value;
        uint256 votes;
        bool done;
    }

    uint256 public constant NEEDED = 2;

    mapping(address => bool) public isOwner;
    mapping(uint256 => mapping(address => bool)) public confirmedBy;
    Request[] public requests;

    constructor(address partner) payable {
        require(partner != address(0), "partner");
        isOwner[msg.sender] = true;
        isOwner[partner] = true;
    }

    receive() external payable {}

    function submit(address payable to, uint256 value) external returns (uint256 id) {
        requests.push(Request(to, value, 0, false));
        return requests.length - 1;
    }

    function confirm(uint256 id) external {
        Request storage r = requests[id];
        require(!r.done, "done");
        confirmedBy[id][msg.sender] = true;
        r.votes += 1;
    }

    function execute(uint256 id) external {
        Request storage r = requests[id];
        require(!r.done, "done");
        require(r.votes >= NEEDED, "votes");
        r.done = true;
        (bool ok, ) = r.to.call{value: r.value}(""); //~ ERROR ether-theft
        require(ok, "failed");
    }
}
