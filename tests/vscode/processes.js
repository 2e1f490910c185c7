// The processes of a run: all that descend from it, known by a variable that they inherit, or by the run's folder in their command line
// (Chromium's children write over their environment). Linux only, as `/proc` is.

"use strict";
const fs = require("node:fs");
const path = require("node:path");

const VARIABLE = "BELLWETHER_TEST_RUN";

/** The processes of the run whose folder this is, each with its executable. */
function processesOf(folder) {
  const mark = `${VARIABLE}=${folder}\0`;
  return fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => `${read(pid, "environ")}\0`.includes(mark) || read(pid, "cmdline").includes(folder))
    .filter((pid) => isAlive(pid))
    .map((pid) => ({ pid: Number(pid), executable: executable(pid), command: read(pid, "cmdline").replaceAll("\0", " ").trim() }));
}

/** The language servers of the run. */
function serversOf(folder) {
  return processesOf(folder).filter(({ executable }) => path.basename(executable) === "bellwether");
}

function killAll(folder) {
  for (const { pid } of processesOf(folder)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // gone already
    }
  }
}

function read(pid, file) {
  try {
    return fs.readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return ""; // gone, or somebody else's
  }
}

/** A process that has ended is listed until its parent has asked how. */
function isAlive(pid) {
  return !/^State:\s+[ZX]/m.test(read(pid, "status")) && read(pid, "status") !== "";
}

function executable(pid) {
  try {
    // The link of a file that was removed ends so.
    return fs.readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, "");
  } catch {
    return "";
  }
}

module.exports = { VARIABLE, processesOf, serversOf, killAll };
