import assert from "node:assert/strict";
import { test } from "node:test";
import { isRunning, parseServerStatus, shortNumber, show, type ServerStatus } from "../src/status";

function status(changes: Partial<ServerStatus>): { from: "server" } & ServerStatus {
  return { from: "server", state: "fuzzing", contracts: 3, executionsPerSecond: 405_186, findings: 2, ...changes };
}

const texts: [Partial<ServerStatus>, string][] = [
  [{}, "bellwether: fuzzing 3 contracts"],
  [{ contracts: 1 }, "bellwether: fuzzing 1 contract"],
  [{ contracts: 1, notFuzzed: 2 }, "bellwether: fuzzing 1 of 3 contracts"],
  [{ state: "quiet", contracts: 0, notFuzzed: 1 }, "bellwether: quiet, fuzzed 0 of 1 contract"],
  [{ state: "quiet", notFuzzed: 0 }, "bellwether: quiet"],
  [{ state: "compiling" }, "bellwether: compiling"],
  [{ state: "quiet" }, "bellwether: quiet"],
  [{ state: "paused" }, "bellwether: paused"],
  [{ state: "error", message: "no compiler for 0.4.3" }, "bellwether: error"],
];
for (const [changes, text] of texts) {
  test(`text: ${text}`, () => assert.equal(show(status(changes)).text, text));
}

test("tooltip: rate and findings while fuzzing", () => {
  assert.equal(show(status({})).tooltip, "405 k transactions per second\n2 findings\nClick for what can be done.");
});

const targets: [NonNullable<ServerStatus["targets"]>, string][] = [
  [{ reached: 12, unreachable: 1, open: 7 }, "12 of 20 targets reached, 1 proved unreachable"],
  [{ reached: 0, unreachable: 0, open: 1 }, "0 of 1 target reached"],
];
for (const [counts, line] of targets) {
  test(`tooltip: ${line}`, () => assert.equal(show(status({ targets: counts })).tooltip.split("\n")[2], line));
}

test("tooltip: no rate where nothing runs, and the server's message first", () => {
  const { tooltip, alarming } = show(status({ state: "error", findings: 1, message: "no compiler for 0.4.3" }));
  assert.equal(tooltip, "no compiler for 0.4.3\n1 finding\nClick for what can be done.");
  assert.equal(alarming, true);
});

test("without a server", () => {
  assert.deepEqual(show({ from: "client", state: "starting" }), {
    text: "bellwether: starting",
    tooltip: "The server is starting.\nClick for what can be done.",
    alarming: false,
  });
  assert.equal(show({ from: "client", state: "running" }).text, "bellwether");
  assert.deepEqual(show({ from: "client", state: "stopped" }), {
    text: "bellwether: stopped",
    tooltip: "The server is stopped.\nClick for what can be done.",
    alarming: false,
  });
});

test("no server to be found: alarming, with the reason, and a click looks again", () => {
  assert.deepEqual(show({ from: "client", state: "missing", message: "none on PATH" }), {
    text: "bellwether: not found",
    tooltip: "none on PATH\nClick for what can be done.",
    alarming: true,
  });
});

test("after a crash: when and why, and a click does not wait", () => {
  const crash = { from: "client", state: "restarting", why: "it was ended by SIGKILL" } as const;
  assert.deepEqual(show({ ...crash, crashes: 1, seconds: 2 }), {
    text: "bellwether: restarting in 2 s",
    tooltip: "The server ended by itself: it was ended by SIGKILL.\nIt is started again in 2 s.\nClick for what can be done.",
    alarming: true,
  });
  assert.match(show({ ...crash, crashes: 5, seconds: 16 }).tooltip, /SIGKILL, 5 times in a row by now\./);
});

test("the server can be told something only while it runs", () => {
  assert.deepEqual(
    [status({}), { from: "client", state: "running" } as const, { from: "client", state: "starting" } as const].map(isRunning),
    [true, true, false],
  );
});

test("parameters: a status is taken, with or without a message", () => {
  const params = { state: "quiet", contracts: 0, executionsPerSecond: 0, findings: 0 };
  assert.deepEqual(parseServerStatus(params), params);
  assert.deepEqual(parseServerStatus({ ...params, message: "m", later: 1 }), { ...params, message: "m" });
  const targets = { reached: 1, unreachable: 2, open: 3 };
  assert.deepEqual(parseServerStatus({ ...params, targets }), { ...params, targets });
  assert.deepEqual(parseServerStatus({ ...params, targets: { reached: 1 } }), params);
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
