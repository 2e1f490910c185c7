//! Properties in the editor: what people wrote for Foundry is underlined where it stands as long as it does not hold.

mod client;

use client::{Client, project::Project};
use serde_json::Value;
use std::fmt::Write;

const JAR: &str = "// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Jar {
    uint256 public coins;
    mapping(address => uint256) public shareOf;

    function put() external payable {
        coins += msg.value;
        shareOf[msg.sender] += msg.value;
    }

    function give(address to, uint256 amount) external {
        shareOf[msg.sender] -= amount;
        shareOf[to] += amount;
    }

    function take() external {
        coins -= shareOf[msg.sender];
        uint256 amount = shareOf[msg.sender];
        shareOf[msg.sender] = 0;
        payable(msg.sender).transfer(amount);
    }
}
";

/// Takes twice what is given.
const DEFECT: (&str, &str) = ("shareOf[to] += amount;", "shareOf[to] += 2 * amount;");

const TEST: &str = "// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Jar} from \"../src/Jar.sol\";

interface Vm {
    function prank(address sender) external;
    function deal(address account, uint256 balance) external;
}

contract Handler {
    Vm internal constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
    Jar public immutable jar = new Jar();
    address[3] internal people = [address(0xA11CE), address(0xB0B), address(0xCA401)];

    function put(uint256 who, uint256 amount) external {
        amount = amount % 100;
        vm.deal(people[who % 3], amount);
        vm.prank(people[who % 3]);
        jar.put{value: amount}();
    }

    function give(uint256 from, uint256 to, uint256 amount) external {
        vm.prank(people[from % 3]);
        jar.give(people[to % 3], amount);
    }

    function sum() external view returns (uint256) {
        return jar.shareOf(people[0]) + jar.shareOf(people[1]) + jar.shareOf(people[2]);
    }
}

contract JarTest {
    Handler internal handler;

    function setUp() public {
        handler = new Handler();
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    function invariant_allIsSomebodys() public view {
        require(handler.sum() == handler.jar().coins(), \"not somebody's\");
    }
}
";

/// What is shown of a file, as severity, code, line and message; which words break the invariant is luck.
fn told(shown: &[Value]) -> String {
    shown.iter().fold(String::new(), |mut text, diagnostic| {
        let line = diagnostic["range"]["start"]["line"].as_u64().unwrap() + 1;
        let (severity, code) = (&diagnostic["severity"], diagnostic["code"].as_str().unwrap_or_default());
        let message = diagnostic["message"].as_str().unwrap().lines().next().unwrap_or_default();
        let _ = writeln!(text, "{severity} {code} {line}: {}", without_arguments(message));
        text
    })
}

/// A message with nothing between parentheses.
fn without_arguments(message: &str) -> String {
    let mut depth = 0;
    let mut is_outside = |letter: &char| {
        depth -= i32::from(*letter == ')');
        let is_outside = depth == 0;
        depth += i32::from(*letter == '(');
        is_outside
    };
    message.chars().filter(|letter| is_outside(letter)).collect()
}

#[test]
fn an_invariant_is_underlined_until_the_contract_is_mended() {
    let broken = JAR.replace(DEFECT.0, DEFECT.1);
    let files = [("foundry.toml", "[profile.default]\n"), ("src/Jar.sol", &broken), ("test/Jar.t.sol", TEST)];
    let project = Project::files(&files);
    let (jar, test) = (project.path("src/Jar.sol"), project.path("test/Jar.t.sol"));
    let mut client = Client::open_folder(&project.root(), project.options());
    client.open(&jar);
    client.open(&test);
    let shown = client.diagnostics_with(&test, "the invariant", |shown| !shown.is_empty());
    assert_eq!(
        told(&shown),
        "1 property 45: invariant can be broken: handler.put() → handler.give() → invariant_allIsSomebodys()\n"
    );
    let related = shown[0]["relatedInformation"].as_array().unwrap().last().unwrap();
    let message = without_arguments(related["message"].as_str().unwrap());
    let line = related["location"]["range"]["start"]["line"].as_u64().unwrap() as usize;
    let place = format!(
        "{}: {}",
        related["location"]["uri"].as_str().unwrap().rsplit('/').next().unwrap(),
        broken.lines().nth(line).unwrap().trim()
    );
    assert_eq!(message, "after handler.give() wrote this, the property no longer holds");
    assert!(place.starts_with("Jar.sol: shareOf["), "{place}");
    client.save(&jar, JAR);
    client.diagnostics_with(&test, "nothing", <[Value]>::is_empty);
    client.shut_down();
}
