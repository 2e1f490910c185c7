// The trace: the messages between editor and server, in the output channel. vscode-languageclient writes them only while the channel's own
// level is Trace, which no extension can set; here `bellwether.trace.server` decides alone.

import { EventEmitter, LogLevel, workspace, type Disposable, type LogOutputChannel } from "vscode";
import { SECTION } from "./settings";

const KEY = "trace.server";

/** The output channel as the language client sees it: its level follows the setting, and what is traced is always shown. */
export function traceChannel(output: LogOutputChannel): { channel: LogOutputChannel; subscription: Disposable } {
  const changes = new EventEmitter<LogLevel>();
  const channel = Object.create(output, {
    logLevel: { get: tracedLevel },
    onDidChangeLogLevel: { value: changes.event },
    trace: { value: (message: string) => output.info(message) },
  }) as LogOutputChannel;
  const subscription = workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(`${SECTION}.${KEY}`)) {
      changes.fire(tracedLevel());
    }
  });
  return { channel, subscription };
}

function tracedLevel(): LogLevel {
  const setting = workspace.getConfiguration(SECTION).get<string>(KEY, "off");
  return setting === "off" ? LogLevel.Off : LogLevel.Trace;
}
