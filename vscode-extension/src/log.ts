// The server's log: lines of its standard error, taken apart, so that the output channel shows each with one time and one level. Pure.

export type Level = "error" | "warn" | "info" | "debug" | "trace";

export interface LogLine {
  level: Level;
  text: string;
}

const LINE = /^\d{4}-\d\d-\d\dT\S+\s+(ERROR|WARN|INFO|DEBUG|TRACE)\s+[\w:]+: (.*)$/;

/** `2026-11-25T06:52:31Z  INFO bellwether_server::lsp: project /p` is `project /p`, at level info. A line of another form is taken whole, as information. */
export function parseLogLine(line: string): LogLine {
  const [, level, text] = LINE.exec(line) ?? [];
  return level === undefined || text === undefined ? { level: "info", text: line } : { level: level.toLowerCase() as Level, text };
}
