// The menu at the status item: all commands that do something now.

import { commands, window } from "vscode";
import { whyNot, type Situation } from "./applicable";
import { COMMANDS } from "./commands";

/** A command of the manifest, as far as the menu needs it. */
export interface Declared {
  command: string;
  title: string;
}

export async function showMenu(declared: readonly Declared[], situation: Situation, headline: string): Promise<void> {
  const items = COMMANDS.filter((command) => command !== "bellwether.showMenu" && whyNot(command, situation) === undefined).map((command) => ({
    label: declared.find((it) => it.command === command)?.title ?? command,
    command,
  }));
  const chosen = await window.showQuickPick(items, { title: "Bellwether", placeHolder: headline });
  if (chosen !== undefined) {
    await commands.executeCommand(chosen.command);
  }
}
