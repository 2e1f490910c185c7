import assert from "node:assert/strict";
import { test } from "node:test";
import { parseServerStatus, shortNumber, show, type ServerStatus } from "../src/status";

function status(changes: Partial<ServerStatus>): { from: "server" } & ServerStatus {
  return { from: "server", state: "fuzzing", contracts: 3, executionsPerSecond: 405_186, findings: 2, ...changes };
}

const texts: [Partial<ServerStatus>, string][] = [
  [{}, "bellwether: fuzzing 3 contracts"],
  [{ contracts: 1 }, "bellwether: fuzzing 1 contract"],
  [{ state: "compiling" }, "bellwether: compiling"],
  [{ state: "quiet" }, "bellwether: quiet"],
  [{ state: "paused" }, "bellwether: paused"],
  [{ state: "error", message: "no compiler for 0.4.3" }, "bellwether: error"],
];
for (const [changes, text] of texts) {
  test(`text: ${text}`, () => assert.equal(show(status(changes)).text, text));
}

test("tooltip: rate and findings while fuzzing", () => {
  assert.equal(show(status({})).tooltip, "405 k executions per second\n2 findings\nClick to show the output.");
});

test("tooltip: no rate where nothing runs, and the server's message first", () => {
  const { tooltip, alarming } = show(status({ state: "error", findings: 1, message: "no compiler for 0.4.3" }));
  assert.equal(tooltip, "no compiler for 0.4.3\n1 finding\nClick to show the output.");
  assert.equal(alarming, true);
});

test("without a server", () => {
  assert.deepEqual(show({ from: "client", state: "starting" }), {
    text: "bellwether: starting",
    tooltip: "The server is starting.\nClick to show the output.",
    alarming: false,
  });
  assert.equal(show({ from: "client", state: "running" }).text, "bellwether");
  assert.equal(show({ from: "client", state: "stopped" }).text, "bellwether: stopped");
  const failed = show({ from: "client", state: "failed", message: "none on PATH" });
  assert.equal(failed.text, "bellwether: not running");
  assert.match(failed.tooltip, /^none on PATH\n/);
  assert.equal(failed.alarming, true);
});

test("parameters: a status is taken, with or without a message", () => {
  const params = { state: "quiet", contracts: 0, executionsPerSecond: 0, findings: 0 };
  assert.deepEqual(parseServerStatus(params), params);
  assert.deepEqual(parseServerStatus({ ...params, message: "m", later: 1 }), { ...params, message: "m" });
});

const bad: unknown[] = [
  null,
  "quiet",
  {},
  { state: "napping", contracts: 0, executionsPerSecond: 0, findings: 0 },
  { state: "quiet", contracts: "0", executionsPerSecond: 0, findings: 0 },
  { state: "quiet", contracts: 0, executionsPerSecond: Number.NaN, findings: 0 },
  { state: "quiet", contracts: 0, executionsPerSecond: 0, findings: -1 },
];
for (const params of bad) {
  test(`parameters: ${JSON.stringify(params)} is no status`, () => assert.equal(parseServerStatus(params), undefined));
}

const numbers: [number, string][] = [
  [0, "0"],
  [999.4, "999"],
  [999.5, "1 k"],
  [41_022, "41 k"],
  [999_499, "999 k"],
  [999_500, "1.0 M"],
  [1_250_000, "1.3 M"],
];
for (const [value, text] of numbers) {
  test(`number: ${value} is ${text}`, () => assert.equal(shortNumber(value), text));
}
