// Coverage: what the server says of the lines of a file (`bellwether/coverage`). Pure; coverageGutter.ts and coverageView.ts show it.

export const COVERAGE = "bellwether/coverage";

/** The lists that a line can be in, each line in one of them. */
export const LINE_STATES = ["reached", "open", "unreachable", "failing"] as const;

export type LineState = (typeof LINE_STATES)[number];

/** The coverage of a file: lines from 0. */
export type FileCoverage = { uri: string } & Record<LineState, number[]>;

/** What is told as a `FileCoverage`, or undefined if it is none: a server of another version must not break the client. */
export function parseFileCoverage(told: unknown): FileCoverage | undefined {
  if (typeof told !== "object" || told === null) {
    return undefined;
  }
  const { uri, reached, open, unreachable, failing } = told as Record<string, unknown>;
  if (typeof uri !== "string" || !areLines(reached) || !areLines(open) || !areLines(unreachable) || !areLines(failing)) {
    return undefined;
  }
  return { uri, reached, open, unreachable, failing };
}

/** How often each line counts as run, in order. Lines that cannot be reached are nothing to cover. */
export function runs({ reached, open, failing }: FileCoverage): { line: number; count: number }[] {
  const counted = [...reached, ...failing].map((line) => ({ line, count: 1 }));
  return [...counted, ...open.map((line) => ({ line, count: 0 }))].sort((a, b) => a.line - b.line);
}

/** The first and last line of each stretch of neighbouring lines. */
export function stretches(lines: readonly number[]): [number, number][] {
  const found: [number, number][] = [];
  for (const line of lines) {
    const last = found.at(-1);
    if (last?.[1] === line - 1) {
      last[1] = line;
    } else {
      found.push([line, line]);
    }
  }
  return found;
}

function areLines(lines: unknown): lines is number[] {
  return Array.isArray(lines) && lines.every((line) => Number.isInteger(line) && line >= 0);
}
