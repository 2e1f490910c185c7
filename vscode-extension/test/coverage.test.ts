import assert from "node:assert/strict";
import { test } from "node:test";
import { parseFileCoverage, runs, stretches } from "../src/coverage";

const coverage = { uri: "file:///p/src/Vault.sol", reached: [4, 6], open: [5], unreachable: [8], failing: [2] };

test("coverage is taken as it is told, and nothing else is", () => {
  assert.deepEqual(parseFileCoverage({ ...coverage, version: 3 }), coverage);
  for (const other of [undefined, null, 7, {}, { ...coverage, uri: 1 }, { ...coverage, open: [1.5] }, { ...coverage, reached: [-1] }]) {
    assert.equal(parseFileCoverage(other), undefined);
  }
});

test("a line that cannot be reached counts as nothing to cover", () => {
  const expected = [
    { line: 2, count: 1 },
    { line: 4, count: 1 },
    { line: 5, count: 0 },
    { line: 6, count: 1 },
  ];
  assert.deepEqual(runs(coverage), expected);
});

const lists: [number[], [number, number][]][] = [
  [[], []],
  [[3], [[3, 3]]],
  [
    [0, 1, 2, 4, 6, 7],
    [
      [0, 2],
      [4, 4],
      [6, 7],
    ],
  ],
];
for (const [lines, found] of lists) {
  test(`lines ${JSON.stringify(lines)} are ${found.length} stretches`, () => assert.deepEqual(stretches(lines), found));
}
