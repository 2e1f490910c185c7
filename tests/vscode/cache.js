// The cache: folders that are fetched once and kept between runs. A folder is made beside its place and then moved there, so that
// it is whole or not there at all, also when a run is interrupted or two run at the same time.

"use strict";
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");

/** Where everything is kept: given by the Rust side, which keeps forge there too. */
const CACHE = process.env.BELLWETHER_TEST_CACHE;

/** The folder `name`, which `make(folder)` fills the first time. */
function provide(name, make) {
  const folder = path.join(CACHE, name);
  if (fs.existsSync(folder)) {
    return folder;
  }
  fs.mkdirSync(CACHE, { recursive: true });
  const staging = fs.mkdtempSync(path.join(CACHE, `.${name}-`));
  const began = Date.now();
  console.log(`# fetching ${name}`);
  try {
    make(staging);
    fs.renameSync(staging, folder);
  } catch (error) {
    fs.rmSync(staging, { recursive: true, force: true });
    // Somebody else may have been faster.
    if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") {
      throw error;
    }
  }
  console.log(`# fetched ${name} in ${Math.round((Date.now() - began) / 1000)} s`);
  return folder;
}

/** Runs a program to its end. When it fails, the error says what it printed and what `remedy` may help. */
function run(program, arguments_, { cwd, env, remedy }) {
  try {
    return execFileSync(program, arguments_, { cwd, env: { ...process.env, ...env }, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1 << 28 });
  } catch (error) {
    const said = error.code === "ENOENT" ? `${program} is not installed` : `${error.stderr}\n${error.stdout}`;
    throw new Error(`${[program, ...arguments_].join(" ")} in ${cwd} failed. ${remedy}\n${said}`);
  }
}

/** An executable on PATH with one of these names. */
function onPath(...names) {
  const folders = (process.env.PATH ?? "").split(path.delimiter);
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name))).find(isExecutable);
}

function isExecutable(file) {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

module.exports = { provide, run, onPath, isExecutable };
