import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import manifest from "../package.json";
import { COMMANDS } from "../src/commands";

const LEVELS = ["error", "warning", "information", "hint", "off"];

interface Setting {
  type: string | string[];
  default: unknown;
  scope: string;
  enum?: unknown[];
  enumDescriptions?: string[];
  description?: string;
  markdownDescription?: string;
}
const settings = Object.entries(manifest.contributes.configuration.properties as Record<string, Setting>);

test("each command is declared", () => {
  const declared = manifest.contributes.commands.map(({ command }) => command);
  assert.deepEqual(declared.sort(), [...COMMANDS].sort());
});

test("the README says what each command does", () => {
  const text = readFileSync("README.md", "utf8");
  for (const { category, title } of manifest.contributes.commands) {
    assert.ok(text.includes(`| ${category}: ${title} | `), title);
  }
});

test("the walkthrough's pictures and pages are there, and so are the icon and what is known of the language", () => {
  const media = manifest.contributes.walkthroughs.flatMap(({ steps }) => steps.map((step) => step.media));
  const files = media.map((it) => ("markdown" in it ? it.markdown : it.image));
  const configurations = manifest.contributes.languages.map(({ configuration }) => configuration);
  const grammars = manifest.contributes.grammars.map((grammar) => grammar.path);
  for (const file of [...files, ...configurations, ...grammars, manifest.icon]) {
    assert.ok(existsSync(file), file);
  }
});

// That they are the engine's own list is compared on the engine's side, in tests/settings.rs.
test("every oracle can be set to every level", () => {
  const oracles = settings.filter(([key]) => key.startsWith("bellwether.oracles."));
  assert.notEqual(oracles.length, 0);
  for (const [, setting] of oracles) {
    assert.deepEqual(setting.enum, LEVELS);
  }
});

test("a folder that is not trusted names no executable, and gives it no environment", () => {
  const restricted = manifest.capabilities.untrustedWorkspaces.restrictedConfigurations;
  for (const key of ["bellwether.server.path", "bellwether.server.extraEnv", "bellwether.solc", "bellwether.test.directory"]) {
    assert.ok(restricted.includes(key), key);
  }
});

for (const [key, setting] of settings) {
  test(`${key} is described, and its default is one of its values`, () => {
    assert.ok(key.startsWith("bellwether."));
    assert.ok(setting.description ?? setting.markdownDescription);
    assert.ok(setting.scope);
    assert.ok(typesOf(setting.default).some((type) => [setting.type].flat().includes(type)));
    if (setting.enum !== undefined) {
      assert.ok(setting.enum.includes(setting.default));
      assert.equal(setting.enumDescriptions?.length, setting.enum.length);
    }
  });
}

function typesOf(value: unknown): string[] {
  if (value === null) {
    return ["null"];
  }
  if (Array.isArray(value)) {
    return ["array"];
  }
  return Number.isInteger(value) ? ["number", "integer"] : [typeof value];
}
