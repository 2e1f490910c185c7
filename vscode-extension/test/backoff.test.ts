import assert from "node:assert/strict";
import { test } from "node:test";
import { BackOff } from "../src/backoff";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** The waits, in seconds, after servers that ran for so long. */
function waits(backOff: BackOff, ...ranFor: number[]): number[] {
  return ranFor.map((ms) => backOff.crashed(ms).waitMs / SECOND);
}

test("at once, then twice as long each time, a minute at most", () => {
  assert.deepEqual(waits(new BackOff(), 0, 0, 0, 0, 0, 0, 0, 0), [0, 2, 4, 8, 16, 32, 60, 60]);
});

test("it never ends, and never grows past a minute", () => {
  const last = waits(new BackOff(), ...Array<number>(5_000).fill(0)).at(-1);
  assert.equal(last, 60);
});

test("a server that ran for minutes was well, one that ran for less was not", () => {
  assert.deepEqual(waits(new BackOff(), 0, 0, 2 * MINUTE, 3 * MINUTE, 0), [0, 2, 4, 0, 2]);
});

test("a start or stop on purpose begins anew", () => {
  const backOff = new BackOff();
  waits(backOff, 0, 0, 0);
  backOff.reset();
  assert.deepEqual(waits(backOff, 0, 0), [0, 2]);
});

test("crashes are counted", () => {
  const backOff = new BackOff();
  assert.deepEqual([0, 0, 5 * MINUTE, 0].map((ms) => backOff.crashed(ms).crashes), [1, 2, 1, 2]);
});
