import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { test } from "node:test";
import { findServer, isExecutableFile, serverEnvironment, type Surroundings } from "../src/server";

/** A Linux machine on which exactly these files are executable. */
function machine(executables: string[], changes: Partial<Surroundings> = {}): Surroundings {
  return {
    platform: "linux",
    configuredPath: "",
    extensionFolder: "/ext",
    workspaceFolder: "/project",
    homeFolder: "/home/alice",
    searchPath: "/usr/bin:/opt/bin",
    isExecutable: (file) => executables.includes(file),
    ...changes,
  };
}

const EVERYWHERE = ["/set/bellwether", "/ext/server/bellwether", "/usr/bin/bellwether", "/opt/bin/bellwether"];

const found: [what: string, around: Surroundings, command: string][] = [
  ["the setting comes first", machine(EVERYWHERE, { configuredPath: "/set/bellwether" }), "/set/bellwether"],
  ["then the extension's own", machine(EVERYWHERE), "/ext/server/bellwether"],
  ["then PATH, in its order", machine(EVERYWHERE.slice(2)), "/usr/bin/bellwether"],
  ["a later folder of PATH", machine(["/opt/bin/bellwether"]), "/opt/bin/bellwether"],
  ["~ in the setting is the home folder", machine(["/home/alice/b"], { configuredPath: "~/b" }), "/home/alice/b"],
  ["a relative setting counts from the workspace", machine(["/project/b"], { configuredPath: "./b" }), "/project/b"],
  [
    "Windows: bundled",
    machine(["C:\\ext\\server\\bellwether.exe"], { platform: "win32", extensionFolder: "C:\\ext" }),
    "C:\\ext\\server\\bellwether.exe",
  ],
  [
    "Windows: PATH",
    machine(["D:\\tools\\bellwether.exe"], { platform: "win32", extensionFolder: "C:\\ext", searchPath: "C:\\a;D:\\tools" }),
    "D:\\tools\\bellwether.exe",
  ],
];
for (const [what, around, command] of found) {
  test(`lookup: ${what}`, () => assert.deepEqual(findServer(around), { kind: "found", command }));
}

const missing: [what: string, around: Surroundings, message: RegExp][] = [
  ["nowhere", machine([]), /none on PATH.*set bellwether\.server\.path/],
  ["no PATH at all", machine([], { searchPath: undefined }), /none on PATH/],
  ["a wrong setting is not passed over", machine(EVERYWHERE, { configuredPath: "/typo" }), /bellwether\.server\.path names \/typo,/],
  ["PATH never means the open folder", machine(["bellwether", "bin/bellwether"], { searchPath: ":.:bin" }), /none on PATH/],
  ["a relative setting without a workspace", machine([], { configuredPath: "b", workspaceFolder: undefined }), /names b,/],
];
for (const [what, around, message] of missing) {
  test(`lookup: ${what}`, () => {
    const lookup = findServer(around);
    assert.ok(lookup.kind === "missing");
    assert.match(lookup.message, message);
  });
}

test("executable: a file with the bit, not one without it, a folder, or nothing", { skip: process.platform === "win32" }, (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "bellwether-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, "bellwether");
  assert.equal(isExecutableFile(file), false);
  writeFileSync(file, "");
  chmodSync(file, 0o755);
  assert.equal(isExecutableFile(file), true);
  assert.equal(isExecutableFile(folder), false);
  chmodSync(file, 0o644);
  assert.equal(isExecutableFile(file), false);
});

test("environment: extra variables go over the editor's own", () => {
  assert.deepEqual(serverEnvironment({ PATH: "/bin", A: "1" }, { A: "2", N: 3 }), { PATH: "/bin", A: "2", N: "3" });
  assert.deepEqual(serverEnvironment({ A: "1" }, undefined), { A: "1" });
});
