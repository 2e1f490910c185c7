// The status: what the server says it is doing (`bellwether/status`), or what the client knows while there is no server to
// say it, and how that reads in the status bar. Pure; statusItem.ts shows it.

export const STATUS_NOTIFICATION = "bellwether/status";

const STATES = ["compiling", "fuzzing", "quiet", "paused", "error"] as const;

/** The parameters of `bellwether/status`. */
export interface ServerStatus {
  state: (typeof STATES)[number];
  contracts: number;
  executionsPerSecond: number;
  findings: number;
  message?: string;
}

export type Status =
  | { from: "client"; state: "starting" | "running" | "stopped" }
  | { from: "client"; state: "failed"; message: string }
  | ({ from: "server" } & ServerStatus);

export interface Shown {
  text: string;
  tooltip: string;
  alarming: boolean;
}

/** The parameters as a `ServerStatus`, or undefined if they are none: a server of another version must not break the client. */
export function parseServerStatus(params: unknown): ServerStatus | undefined {
  if (typeof params !== "object" || params === null) {
    return undefined;
  }
  const { state, contracts, executionsPerSecond, findings, message } = params as Record<string, unknown>;
  const known = STATES.find((name) => name === state);
  if (known === undefined || !isCount(contracts) || !isCount(executionsPerSecond) || !isCount(findings)) {
    return undefined;
  }
  return { state: known, contracts, executionsPerSecond, findings, ...(typeof message === "string" ? { message } : {}) };
}

export function show(status: Status): Shown {
  const lines = status.from === "client" ? clientLines(status) : serverLines(status);
  return {
    text: `bellwether${headline(status)}`,
    tooltip: [...lines, "Click to show the output."].join("\n"),
    alarming: status.state === "failed" || status.state === "error",
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
      return `: fuzzing ${counted(status.contracts, "contract")}`;
    case "running":
      return "";
    case "failed":
      return ": not running";
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
    case "failed":
      return [status.message];
  }
}

function serverLines(status: ServerStatus): string[] {
  const lines = [counted(status.findings, "finding")];
  if (status.state === "fuzzing") {
    lines.unshift(`${shortNumber(status.executionsPerSecond)} executions per second`);
  }
  if (status.message !== undefined) {
    lines.unshift(status.message);
  }
  return lines;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
