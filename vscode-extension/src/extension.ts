// The extension: what VS Code activates. It ties the client to the editor's commands, settings and trust, and does nothing else.

import * as path from "node:path";
import { commands, ConfigurationTarget, Uri, window, workspace, type ExtensionContext } from "vscode";
import { whyNot, type Situation } from "./applicable";
import { Client } from "./client";
import { COMMANDS, isServerCommand, type Command, type ServerCommand } from "./commands";
import { CoverageGutter } from "./coverageGutter";
import { CoverageView } from "./coverageView";
import { findingCommands } from "./findings";
import { describe } from "./generated";
import { showMenu, type Declared } from "./menu";
import { regressionTestLenses, RUN_COMMAND, runRegressionTest } from "./regressionTests";
import { declaredKeys, SECTION } from "./settings";
import { isRunning, show } from "./status";
import { StatusItem } from "./statusItem";
import { traceChannel } from "./trace";

let client: Client | undefined;

export async function activate(context: ExtensionContext): Promise<void> {
  const manifest = context.extension.packageJSON as { contributes: { commands: Declared[] } };
  const output = window.createOutputChannel("Bellwether", { log: true });
  const trace = traceChannel(output);
  const item = new StatusItem();
  const gutter = new CoverageGutter(context.extensionPath);
  const situation: Situation = { status: { from: "client", state: "stopped" }, paused: false };
  const started = new Client({
    extensionFolder: context.extensionPath,
    settingKeys: declaredKeys(manifest),
    output,
    trace: trace.channel,
    show: (status) => {
      item.update(status);
      situation.status = status;
      situation.paused &&= isRunning(status);
      if (!isRunning(status)) {
        gutter.clear();
      }
    },
    cover: (coverage) => gutter.update(coverage),
  });
  client = started;
  const view = new CoverageView(() => started.coverage());

  const own: Record<Exclude<Command, ServerCommand>, () => unknown> = {
    "bellwether.start": () => started.start(),
    "bellwether.stop": () => started.stop(),
    "bellwether.restart": () => started.restart(),
    "bellwether.generateTests": () => generateTests(started),
    "bellwether.toggleCoverage": () => change("coverage", (shown) => shown !== true),
    "bellwether.showCoverage": () => view.show(),
    "bellwether.showOutput": () => output.show(),
    "bellwether.toggleTrace": async () => {
      if ((await change("trace.server", (level) => (level === "off" ? "messages" : "off"))) !== "off") {
        // Whoever is typing goes on.
        output.show(true);
      }
    },
    "bellwether.howToInstall": () => commands.executeCommand("markdown.showPreview", Uri.file(path.join(context.extensionPath, "media/install.md"))),
    "bellwether.showMenu": () => showMenu(manifest.contributes.commands, situation, show(situation.status).text),
  };
  const carryOut = async (command: Command): Promise<void> => {
    const reason = whyNot(command, situation);
    if (reason !== undefined) {
      void window.showInformationMessage(reason);
    } else if (!isServerCommand(command)) {
      await own[command]();
    } else if (command !== "bellwether.clear" || (await isMeant())) {
      await started.execute(command);
      if (command === "bellwether.pause" || command === "bellwether.resume") {
        situation.paused = command === "bellwether.pause";
      }
    }
  };
  context.subscriptions.push(
    output,
    trace.subscription,
    item,
    gutter,
    view,
    ...COMMANDS.map((name) => commands.registerCommand(name, () => carryOut(name))),
    commands.registerCommand(RUN_COMMAND, runRegressionTest),
    regressionTestLenses(),
    findingCommands(started),
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

/** Changes a setting where it is set already, else for this user. Gives back its new value. */
async function change(key: string, to: (now: unknown) => unknown): Promise<unknown> {
  const settings = workspace.getConfiguration(SECTION);
  const inWorkspace = settings.inspect(key)?.workspaceValue !== undefined;
  const value = to(settings.get(key));
  await settings.update(key, value, inWorkspace ? ConfigurationTarget.Workspace : ConfigurationTarget.Global);
  return value;
}

/** Writes the tests, opens the first one's file, and says what came of it. */
async function generateTests(running: Client): Promise<void> {
  const outcomes = await running.generateTests();
  const first = outcomes.find((outcome) => "file" in outcome);
  if (first !== undefined) {
    await window.showTextDocument(Uri.parse(first.file));
  }
  void window.showInformationMessage(describe(outcomes));
}

/** What is cleared cannot be brought back, so it is asked first. */
async function isMeant(): Promise<boolean> {
  const clear = "Clear";
  const detail = "They are deleted for all open projects, also on disk, and fuzzing begins anew. This cannot be undone.";
  return (await window.showWarningMessage("Clear all findings and the corpus?", { modal: true, detail }, clear)) === clear;
}

async function offerRestart(running: Client): Promise<void> {
  const restart = "Restart Server";
  if ((await window.showInformationMessage("A setting of the Bellwether server has changed: restart the server to use it.", restart)) === restart) {
    await running.restart();
  }
}
