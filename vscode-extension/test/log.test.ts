import assert from "node:assert/strict";
import { test } from "node:test";
import { parseLogLine } from "../src/log";

const lines: [string, string, string][] = [
  ["2026-11-25T06:52:31.118605Z  INFO bellwether_server::lsp::projects: project /p", "info", "project /p"],
  ["2026-11-25T06:52:31.118605Z  WARN bellwether_server: a: b", "warn", "a: b"],
  ["2026-11-25T06:52:31.118605Z ERROR bellwether_server: no", "error", "no"],
  ["thread 'fuzz-0' panicked at src/a.rs:1", "info", "thread 'fuzz-0' panicked at src/a.rs:1"],
  ["", "info", ""],
];
for (const [line, level, text] of lines) {
  test(`log: ${line}`, () => assert.deepEqual(parseLogLine(line), { level, text }));
}
