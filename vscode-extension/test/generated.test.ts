import assert from "node:assert/strict";
import { test } from "node:test";
import { describe } from "../src/generated";

const file = "file:///p/test/A.bellwether.t.sol";
const refused = "test_regression_a of test/A.bellwether.t.sol tests the same already";

test("what was written is counted, and what was not has its reason, each once", () => {
  assert.equal(describe([{ file }]), "1 regression test was written.");
  assert.equal(describe([{ file }, { file }]), "2 regression tests were written.");
  assert.equal(describe([{ file }, { refused }]), `1 regression test was written. None for a finding: ${refused}.`);
  assert.equal(
    describe([{ refused: "it is gone" }, { refused: "it is gone" }, { refused }]),
    `No regression tests were written. None for 2 findings: it is gone. None for a finding: ${refused}.`,
  );
});
