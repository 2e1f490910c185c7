// The status: what the server says it is doing (`bellwether/status`), or what the client knows while there is no server to
// say it, and how that reads in the status bar. Pure; statusItem.ts shows it.

export const STATUS_NOTIFICATION = "bellwether/status";

const STATES = ["compiling", "fuzzing", "quiet", "paused", "error"] as const;

/** How what the last save made worth reaching stands, in lines. */
export interface Targets {
  reached: number;
  unreachable: number;
  open: number;
}

/** The parameters of `bellwether/status`. */
export interface ServerStatus {
  state: (typeof STATES)[number];
  contracts: number;
  /** How many are not fuzzed although they should be. */
  notFuzzed?: number;
  executionsPerSecond: number;
  findings: number;
  targets?: Targets;
  message?: string;
}

export type Status =
  | { from: "client"; state: "starting" | "running" | "stopped" }
  /** There is no server to start. */
  | { from: "client"; state: "missing"; message: string }
  /** It ended by itself, for the `crashes`th time in a row, and is started again in so many seconds. */
  | { from: "client"; state: "restarting"; why: string; crashes: number; seconds: number }
  | ({ from: "server" } & ServerStatus);

export interface Shown {
  text: string;
  tooltip: string;
  alarming: boolean;
}

/** A click opens the menu (menu.ts). */
const CLICK = "Click for what can be done.";

/** The parameters as a `ServerStatus`, or undefined if they are none: a server of another version must not break the client. */
export function parseServerStatus(params: unknown): ServerStatus | undefined {
  if (typeof params !== "object" || params === null) {
    return undefined;
  }
  const { state, contracts, notFuzzed, executionsPerSecond, findings, targets, message } = params as Record<string, unknown>;
  const known = STATES.find((name) => name === state);
  if (known === undefined || !isCount(contracts) || !isCount(executionsPerSecond) || !isCount(findings)) {
    return undefined;
  }
  return {
    state: known,
    contracts,
    executionsPerSecond,
    findings,
    ...(isCount(notFuzzed) ? { notFuzzed } : {}),
    ...(areTargets(targets) ? { targets } : {}),
    ...(typeof message === "string" ? { message } : {}),
  };
}

function areTargets(value: unknown): value is Targets {
  if (typeof value !== "object" || value === null) {
    return false;
  }
  const { reached, unreachable, open } = value as Record<string, unknown>;
  return isCount(reached) && isCount(unreachable) && isCount(open);
}

/** Whether there is a server that can be told something. */
export function isRunning(status: Status): boolean {
  return status.from === "server" || status.state === "running";
}

export function show(status: Status): Shown {
  const lines = status.from === "client" ? clientLines(status) : serverLines(status);
  return {
    text: `bellwether${headline(status)}`,
    tooltip: [...lines, CLICK].join("\n"),
    alarming: ["missing", "restarting", "error"].includes(status.state),
  };
}

/** `405 k`, `1.2 M`: three digits are enough for a rate. */
export function shortNumber(value: number): string {
  if (value < 999.5) {
    return String(Math.round(value));
  }
  if (value < 999_500) {
    return `${Math.round(value / 1_000)} k`;
  }
  return `${(value / 1_000_000).toFixed(1)} M`;
}

function headline(status: Status): string {
  switch (status.state) {
    case "fuzzing":
      return `: fuzzing ${fuzzedContracts(status)}`;
    case "quiet":
      return (status.notFuzzed ?? 0) === 0 ? ": quiet" : `: quiet, fuzzed ${fuzzedContracts(status)}`;
    case "running":
      return "";
    case "missing":
      return ": not found";
    case "restarting":
      return `: restarting in ${status.seconds} s`;
    default:
      return `: ${status.state}`;
  }
}

function clientLines(status: Extract<Status, { from: "client" }>): string[] {
  switch (status.state) {
    case "starting":
      return ["The server is starting."];
    case "running":
      return ["The server is running."];
    case "stopped":
      return ["The server is stopped."];
    case "missing":
      return [status.message];
    case "restarting": {
      const again = status.crashes === 1 ? "" : `, ${status.crashes} times in a row by now`;
      return [`The server ended by itself: ${status.why}${again}.`, `It is started again in ${status.seconds} s.`];
    }
  }
}

function serverLines(status: ServerStatus): string[] {
  const lines = [counted(status.findings, "finding")];
  if (status.state === "fuzzing") {
    lines.unshift(`${shortNumber(status.executionsPerSecond)} transactions per second`);
  }
  if (status.targets !== undefined) {
    lines.push(targetsLine(status.targets));
  }
  if (status.message !== undefined) {
    lines.unshift(status.message);
  }
  return lines;
}

/** `3 contracts`, or `1 of 3 contracts` where the others are not fuzzed. */
function fuzzedContracts({ contracts, notFuzzed = 0 }: ServerStatus): string {
  return notFuzzed === 0 ? counted(contracts, "contract") : `${contracts} of ${counted(contracts + notFuzzed, "contract")}`;
}

/** `12 of 20 targets reached, 1 proved unreachable`. */
function targetsLine({ reached, unreachable, open }: Targets): string {
  const all = reached + unreachable + open;
  const proved = unreachable === 0 ? "" : `, ${unreachable} proved unreachable`;
  return `${reached} of ${counted(all, "target")} reached${proved}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
