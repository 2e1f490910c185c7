// The item in the status bar. It shows a `Status` and knows nothing of where that comes from.

import { MarkdownString, StatusBarAlignment, ThemeColor, window, type Disposable } from "vscode";
import type { Command } from "./commands";
import { show, type Status } from "./status";

const OUTPUT: Command = "bellwether.showOutput";

export class StatusItem implements Disposable {
  readonly #item = window.createStatusBarItem("bellwether.status", StatusBarAlignment.Left);

  constructor() {
    this.#item.name = "Bellwether";
    this.update({ from: "client", state: "stopped" });
    this.#item.show();
  }

  update(status: Status): void {
    const { text, tooltip, alarming, click } = show(status);
    this.#item.text = text;
    this.#item.tooltip = click === OUTPUT ? tooltip : withLink(tooltip);
    this.#item.accessibilityInformation = { label: `${text}, ${tooltip}` };
    this.#item.command = click;
    this.#item.backgroundColor = alarming ? new ThemeColor("statusBarItem.errorBackground") : undefined;
  }

  dispose(): void {
    this.#item.dispose();
  }
}

/** Where a click does something else, the output is still one click away. */
function withLink(text: string): MarkdownString {
  const tooltip = new MarkdownString();
  tooltip.isTrusted = { enabledCommands: [OUTPUT] };
  return tooltip.appendText(text).appendMarkdown(`\n\n[Show Output](command:${OUTPUT})`);
}
