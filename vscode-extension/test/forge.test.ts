import assert from "node:assert/strict";
import { test } from "node:test";
import { findForge, forgeArguments, projectRoot, testsIn } from "../src/forge";

test("each regression test of a file, at its line", () => {
  const text = "contract T {\n    function setUp() public {}\n    function test_regression_assertion_skim() public {\n    function test_regression_overflow_a (uint256 x) public {\n    // function test_regression_not()\n}";
  assert.deepEqual(testsIn(text), [
    { name: "test_regression_assertion_skim", line: 2 },
    { name: "test_regression_overflow_a", line: 3 },
  ]);
});

test("forge runs one test, and none whose name is longer", () => {
  const [, , file, , name] = forgeArguments("test/Vault.bellwether.t.sol", "test_regression_a");
  assert.equal(file, "test/Vault.bellwether.t.sol");
  const pattern = new RegExp(name ?? "");
  assert.deepEqual(["test_regression_a()", "test_regression_a", "test_regression_a_2()"].map((it) => pattern.test(it)), [true, true, false]);
});

test("forge is the one on PATH, else the one of Foundry's installer", () => {
  const around = { platform: "linux", homeFolder: "/home/a", searchPath: "/usr/bin:.:/opt" } as const;
  const find = (...there: string[]) => findForge({ ...around, isExecutable: (file) => there.includes(file) });
  assert.equal(find("/opt/forge", "/home/a/.foundry/bin/forge"), "/opt/forge");
  assert.equal(find("/home/a/.foundry/bin/forge", "./forge"), "/home/a/.foundry/bin/forge");
  assert.equal(find(), undefined);
});

test("the project is the nearest one, and never above the folder that is open", () => {
  const root = (...there: string[]) => projectRoot("/w/packages/a/test/T.sol", "/w", (file) => there.includes(file));
  assert.equal(root("/w/packages/a/foundry.toml", "/w/foundry.toml"), "/w/packages/a");
  assert.equal(root("/foundry.toml"), "/w");
});
