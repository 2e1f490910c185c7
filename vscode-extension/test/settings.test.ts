import assert from "node:assert/strict";
import { test } from "node:test";
import { chosenSettings, declaredKeys, isOurs, settingsAt, type Configuration } from "../src/settings";

const DEFAULTS: Record<string, unknown> = { run: "onSave", "budget.seconds": 0, "oracles.overflow": "warning", "oracles.assertion": "error" };
const KEYS = Object.keys(DEFAULTS);

/** A configuration in which the user has set these keys, in the place that is named. */
function configuration(set: Record<string, unknown>, place = "globalValue"): Configuration {
  return {
    get: (key) => set[key] ?? DEFAULTS[key],
    inspect: (key) => ({ defaultValue: DEFAULTS[key], [place]: set[key] }),
  };
}

test("defaults stay out", () => assert.deepEqual(chosenSettings(KEYS, configuration({})), {}));

for (const place of ["globalValue", "workspaceValue", "workspaceFolderValue"]) {
  test(`what is set goes in, as a tree: ${place}`, () => {
    const set = { run: "off", "budget.seconds": 0, "oracles.overflow": "error", "oracles.assertion": "hint" };
    assert.deepEqual(chosenSettings(KEYS, configuration(set, place)), {
      run: "off",
      budget: { seconds: 0 }, // set to its default is set
      oracles: { overflow: "error", assertion: "hint" },
    });
  });
}

test("a key that the editor does not know is not set", () => {
  assert.deepEqual(chosenSettings(["run"], { get: () => undefined, inspect: () => undefined }), {});
});

test("a section is a subtree, a value, or null", () => {
  const settings = { run: "off", oracles: { overflow: "error" } };
  assert.deepEqual(settingsAt(settings, "bellwether"), settings);
  assert.deepEqual(settingsAt(settings, "bellwether.oracles"), { overflow: "error" });
  assert.equal(settingsAt(settings, "bellwether.oracles.overflow"), "error");
  assert.equal(settingsAt(settings, "bellwether.budget.seconds"), null);
  assert.equal(settingsAt(settings, "bellwether.run.length"), null);
});

test("sections of others are left alone", () => {
  assert.deepEqual(["bellwether", "bellwether.run", "bellwethers", "editor", null, undefined].map(isOurs), [true, true, false, false, false, false]);
});

test("keys lose the prefix", () => assert.deepEqual(declaredKeys({ contributes: { configuration: { properties: { "bellwether.test.directory": {} } } } }), ["test.directory"]));
