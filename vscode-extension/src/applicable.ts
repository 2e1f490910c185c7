// Which commands do something now: the menu offers those, and the others say why they do nothing. Pure.

import type { Command } from "./commands";
import { isRunning, type Status } from "./status";

export interface Situation {
  status: Status;
  /** Whether fuzzing was paused by a command. A server that has nothing left to look for is quiet, paused or not. */
  paused: boolean;
}

/** Why a command would do nothing, as a sentence; undefined where it does something. */
export function whyNot(command: Command, { status, paused }: Situation): string | undefined {
  const running = isRunning(status);
  switch (command) {
    case "bellwether.start":
      return running || status.state === "starting" ? "The server is running already." : undefined;
    case "bellwether.stop":
      return status.state === "stopped" || status.state === "missing" ? "No server is running." : undefined;
    case "bellwether.pause":
      return running ? (isPaused(status, paused) ? "Fuzzing is paused already." : undefined) : NO_SERVER;
    case "bellwether.resume":
      return running ? (isPaused(status, paused) ? undefined : "Fuzzing is not paused: each save is fuzzed.") : NO_SERVER;
    case "bellwether.clear":
    case "bellwether.toggleCoverage":
    case "bellwether.showCoverage":
      return running ? undefined : NO_SERVER;
    case "bellwether.generateTests":
      if (!running) {
        return NO_SERVER;
      }
      return status.from === "server" && status.findings === 0 ? "There are no findings, so there is no test to generate." : undefined;
    case "bellwether.showTargets":
      if (!running) {
        return NO_SERVER;
      }
      return status.from === "server" && status.targets === undefined ? "There are no targets: the last save changed no line that a transaction can reach." : undefined;
    default:
      return undefined;
  }
}

const NO_SERVER = 'No server is running. Start it with "Bellwether: Start Server".';

function isPaused(status: Status, paused: boolean): boolean {
  return paused || status.state === "paused";
}
