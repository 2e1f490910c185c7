// The extension: what VS Code activates. It ties the client to the editor's commands, settings and trust, and does nothing else.

import { commands, window, workspace, type ExtensionContext } from "vscode";
import { Client } from "./client";
import { COMMANDS, type Command } from "./commands";
import { declaredKeys, SECTION } from "./settings";
import { isRunning, type Status } from "./status";
import { StatusItem } from "./statusItem";
import { traceChannel } from "./trace";

let client: Client | undefined;

export async function activate(context: ExtensionContext): Promise<void> {
  const output = window.createOutputChannel("Bellwether", { log: true });
  const trace = traceChannel(output);
  const item = new StatusItem();
  const started = new Client({
    extensionFolder: context.extensionPath,
    extensionId: context.extension.id,
    settingKeys: declaredKeys(context.extension.packageJSON),
    output,
    trace: trace.channel,
    show: (status) => show(status, item),
  });
  client = started;

  const actions: Record<Command, () => unknown> = {
    "bellwether.start": () => started.start(),
    "bellwether.stop": () => started.stop(),
    "bellwether.restart": () => started.restart(),
    "bellwether.showOutput": () => output.show(),
  };
  context.subscriptions.push(
    output,
    trace.subscription,
    item,
    ...COMMANDS.map((name) => commands.registerCommand(name, actions[name])),
    // Trust is told in `initialize`, and it also frees settings that name executables.
    workspace.onDidGrantWorkspaceTrust(() => started.restartIfRunning()),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(`${SECTION}.server`)) {
        void offerRestart(started);
      }
    }),
  );
  await started.start();
}

/** VS Code waits for this before it ends the extension host, so the server is told to go. */
export async function deactivate(): Promise<void> {
  await client?.stop();
}

/** Shows the status, and offers the server's commands only while there is a server. */
function show(status: Status, item: StatusItem): void {
  item.update(status);
  void commands.executeCommand("setContext", `${SECTION}.running`, isRunning(status));
}

async function offerRestart(running: Client): Promise<void> {
  const restart = "Restart Server";
  if ((await window.showInformationMessage("A setting of the Bellwether server has changed.", restart)) === restart) {
    await running.restart();
  }
}
