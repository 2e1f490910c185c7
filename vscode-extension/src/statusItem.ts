// The item in the status bar. It shows a `Status` and knows nothing of where that comes from.

import { StatusBarAlignment, ThemeColor, window, type Disposable } from "vscode";
import type { Command } from "./commands";
import { show, type Status } from "./status";

const MENU: Command = "bellwether.showMenu";

export class StatusItem implements Disposable {
  readonly #item = window.createStatusBarItem("bellwether.status", StatusBarAlignment.Left);

  constructor() {
    this.#item.name = "Bellwether";
    this.#item.command = MENU;
    this.update({ from: "client", state: "stopped" });
    this.#item.show();
  }

  update(status: Status): void {
    const { text, tooltip, alarming } = show(status);
    this.#item.text = text;
    this.#item.tooltip = tooltip;
    this.#item.accessibilityInformation = { label: `${text}, ${tooltip}` };
    this.#item.backgroundColor = alarming ? new ThemeColor("statusBarItem.errorBackground") : undefined;
  }

  dispose(): void {
    this.#item.dispose();
  }
}
