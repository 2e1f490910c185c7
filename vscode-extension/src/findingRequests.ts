// What the client asks of the server about one finding (`bellwether/trace`, `bellwether/finding`). Pure; findings.ts shows it.

export const TRACE = "bellwether/trace";
export const FINDING = "bellwether/finding";

/** The answer to `bellwether/trace`. */
export interface Trace {
  title: string;
  text: string;
}

/** What is told as a `Trace`, or undefined if it is none. */
export function parseTrace(told: unknown): Trace | undefined {
  if (typeof told !== "object" || told === null) {
    return undefined;
  }
  const { title, text } = told as Record<string, unknown>;
  return typeof title === "string" && typeof text === "string" ? { title, text } : undefined;
}
