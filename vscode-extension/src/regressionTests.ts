// Regression tests that the server wrote (`*.bellwether.t.sol`): a lens above each runs it with the real forge, in a terminal of its own
// that shows the result.

import { existsSync } from "node:fs";
import { homedir } from "node:os";
import * as path from "node:path";
import {
  CodeLens,
  Disposable,
  languages,
  ProcessExecution,
  Range,
  Task,
  TaskPanelKind,
  TaskRevealKind,
  tasks,
  window,
  workspace,
  type Uri,
} from "vscode";
import { findForge, forgeArguments, projectRoot, testsIn } from "./forge";
import { isExecutableFile } from "./server";

export const RUN_COMMAND = "bellwether.runRegressionTest";

export function regressionTestLenses(): Disposable {
  return languages.registerCodeLensProvider(
    { scheme: "file", pattern: "**/*.bellwether.t.sol" },
    {
      provideCodeLenses: (document) =>
        testsIn(document.getText()).map(
          ({ name, line }) => new CodeLens(new Range(line, 0, line, 0), { title: "Run with forge", command: RUN_COMMAND, arguments: [document.uri, name] }),
        ),
    },
  );
}

/** Saves the file and runs the test. Forge executes what a project names, so the folder has to be trusted. */
export async function runRegressionTest(uri: Uri, test: string): Promise<void> {
  const folder = workspace.getWorkspaceFolder(uri);
  if (folder === undefined || !workspace.isTrusted) {
    void window.showWarningMessage("Forge runs only tests of a folder that is open and that you trust.");
    return;
  }
  const forge = findForge({ platform: process.platform, homeFolder: homedir(), searchPath: process.env["PATH"], isExecutable: isExecutableFile });
  if (forge === undefined) {
    void window.showErrorMessage("There is no forge on PATH, and none in ~/.foundry/bin. Install Foundry, and restart the editor so that it sees the new PATH.");
    return;
  }
  await workspace.textDocuments.find((document) => document.uri.toString() === uri.toString())?.save();
  const root = projectRoot(uri.fsPath, folder.uri.fsPath, existsSync);
  const file = path.relative(root, uri.fsPath).split(path.sep).join("/");
  const task = new Task({ type: "process" }, folder, test, "Bellwether", new ProcessExecution(forge, forgeArguments(file, test), { cwd: root }));
  task.presentationOptions = { reveal: TaskRevealKind.Always, panel: TaskPanelKind.Dedicated, clear: true };
  await tasks.executeTask(task);
}
