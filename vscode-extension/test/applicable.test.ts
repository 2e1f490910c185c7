import assert from "node:assert/strict";
import { test } from "node:test";
import { whyNot } from "../src/applicable";
import { COMMANDS, type Command } from "../src/commands";
import type { Status } from "../src/status";

const counts = { contracts: 1, executionsPerSecond: 1, findings: 0 };
const fuzzing: Status = { from: "server", state: "fuzzing", ...counts };
const targets = { reached: 1, unreachable: 0, open: 1 };

function applicable(status: Status, paused = false): Command[] {
  return COMMANDS.filter((command) => whyNot(command, { status, paused }) === undefined);
}

const always: Command[] = ["bellwether.restart", "bellwether.showMenu", "bellwether.showOutput", "bellwether.toggleTrace", "bellwether.howToInstall"];
const running: Command[] = ["bellwether.stop", "bellwether.clear", "bellwether.toggleCoverage", "bellwether.showCoverage"];
const situations: [string, Status, boolean, Command[]][] = [
  ["fuzzing", fuzzing, false, [...running, "bellwether.pause"]],
  ["with a finding", { ...fuzzing, findings: 1 }, false, [...running, "bellwether.pause", "bellwether.generateTests"]],
  ["with targets", { ...fuzzing, targets }, false, [...running, "bellwether.pause", "bellwether.showTargets"]],
  ["paused", { ...fuzzing, state: "paused" }, false, [...running, "bellwether.resume"]],
  ["quiet, and paused before", { ...fuzzing, state: "quiet" }, true, [...running, "bellwether.resume"]],
  ["stopped", { from: "client", state: "stopped" }, false, ["bellwether.start"]],
  ["not found", { from: "client", state: "missing", message: "" }, false, ["bellwether.start"]],
  ["restarting", { from: "client", state: "restarting", why: "", crashes: 1, seconds: 1 }, false, ["bellwether.start", "bellwether.stop"]],
];
for (const [name, status, paused, commands] of situations) {
  test(`what applies: ${name}`, () => assert.deepEqual(applicable(status, paused).sort(), [...always, ...commands].sort()));
}

test("what does not apply says so in a sentence", () => {
  assert.equal(whyNot("bellwether.pause", { status: fuzzing, paused: true }), "Fuzzing is paused already.");
  assert.match(whyNot("bellwether.clear", { status: { from: "client", state: "stopped" }, paused: false }) ?? "", /^No server is running\./);
  assert.match(whyNot("bellwether.generateTests", { status: fuzzing, paused: false }) ?? "", /^There are no findings, /);
  assert.match(whyNot("bellwether.showTargets", { status: fuzzing, paused: false }) ?? "", /^There are no targets: /);
});
