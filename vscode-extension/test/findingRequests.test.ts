import assert from "node:assert/strict";
import { test } from "node:test";
import { parseTrace } from "../src/findingRequests";

test("a trace has a title and a text", () => {
  assert.deepEqual(parseTrace({ title: "assertion in Vault.sol:78", text: "1. …", more: 1 }), { title: "assertion in Vault.sol:78", text: "1. …" });
});

for (const told of [undefined, null, "text", {}, { title: "t" }, { title: 1, text: "t" }]) {
  test(`no trace: ${JSON.stringify(told)}`, () => assert.equal(parseTrace(told), undefined));
}
