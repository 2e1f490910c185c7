// Makes the .vsix: `npm run package`, or `npm run package -- PATH` with the path of a server. A server goes inside, and the .vsix is
// then for this platform alone, or for the one that is named behind the path, such as linux-arm64. Without a path it is the release build of this clone, if there is one; without that the .vsix has no
// server, fits every platform, and uses the one on PATH.

import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, rmSync } from "node:fs";
import path from "node:path";

const folder = import.meta.dirname;
const inside = path.join(folder, "server");
const executable = process.platform === "win32" ? "bellwether.exe" : "bellwether";

const server = process.argv[2] ?? releaseBuild();
const options = ["--no-dependencies", "--allow-missing-repository"];
rmSync(inside, { recursive: true, force: true });
try {
  if (server !== undefined) {
    putInside(server);
    options.push("--target", process.argv[3] ?? target());
  }
  console.log(server === undefined ? "No server goes inside: there is no release build." : `The server inside: ${server}`);
  run(process.execPath, [path.join(folder, "node_modules/@vscode/vsce/vsce"), "package", ...options]);
} finally {
  rmSync(inside, { recursive: true, force: true });
}

/** The executable that `cargo build --release` has made, wherever cargo puts it. */
function releaseBuild() {
  let metadata;
  try {
    const question = ["metadata", "--no-deps", "--format-version", "1"];
    metadata = JSON.parse(execFileSync("cargo", question, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
  } catch {
    return undefined; // no cargo, or no clone around this folder
  }
  const file = path.join(metadata.target_directory, "release", executable);
  return existsSync(file) ? file : undefined;
}

/** Debug information is nine tenths of the file, and nobody debugs what was installed. */
function putInside(file) {
  mkdirSync(inside);
  const copy = path.join(inside, executable);
  copyFileSync(file, copy);
  chmodSync(copy, 0o755);
  if (process.platform !== "win32") {
    try {
      execFileSync("strip", ["-S", copy]);
    } catch (error) {
      console.warn(`The server keeps its debug information: ${error.message}`);
    }
  }
}

/** This platform, in the words of VS Code. */
function target() {
  const linux = process.report.getReport().header.glibcVersionRuntime === undefined ? "alpine" : "linux";
  const platform = process.platform === "linux" ? linux : process.platform;
  return `${platform}-${process.arch === "arm" ? "armhf" : process.arch}`;
}

function run(program, arguments_) {
  execFileSync(program, arguments_, { cwd: folder, stdio: "inherit" });
}
