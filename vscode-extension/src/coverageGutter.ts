// The coverage in the gutter: a bar beside each line with code, in the colour of what is known of it. The server tells of it while
// `bellwether.coverage` is on, and takes it back when that is switched off.

import * as path from "node:path";
import { OverviewRulerLane, Range, ThemeColor, Uri, window, type Disposable, type TextEditor, type TextEditorDecorationType } from "vscode";
import { LINE_STATES, stretches, type FileCoverage, type LineState } from "./coverage";

/** What a hover on a line says. */
const WORDS: Record<LineState, string> = {
  reached: "Reached by the fuzzer",
  open: "Not reached yet",
  unreachable: "Cannot be reached (proved)",
  failing: "Run by the failing call of a finding",
};

/** The colours of the marks on the scroll bar: VS Code's own for coverage and errors. */
const RULER: Partial<Record<LineState, string>> = {
  open: "testing.uncoveredBorder",
  failing: "editorOverviewRuler.errorForeground",
};

export class CoverageGutter {
  readonly #types: Record<LineState, TextEditorDecorationType>;
  readonly #known = new Map<string, FileCoverage>();
  readonly #subscription: Disposable;

  constructor(extensionFolder: string) {
    const type = (state: LineState): TextEditorDecorationType => {
      const color = RULER[state];
      return window.createTextEditorDecorationType({
        gutterIconPath: Uri.file(path.join(extensionFolder, "media", "coverage", `${state}.svg`)),
        gutterIconSize: "contain",
        ...(color === undefined ? {} : { overviewRulerColor: new ThemeColor(color), overviewRulerLane: OverviewRulerLane.Left }),
      });
    };
    this.#types = { reached: type("reached"), open: type("open"), unreachable: type("unreachable"), failing: type("failing") };
    this.#subscription = window.onDidChangeVisibleTextEditors((editors) => editors.forEach((editor) => this.#show(editor)));
  }

  /** Shows the coverage of a file wherever that is visible. */
  update(coverage: FileCoverage): void {
    const uri = Uri.parse(coverage.uri).toString();
    this.#known.set(uri, coverage);
    window.visibleTextEditors.filter((editor) => editor.document.uri.toString() === uri).forEach((editor) => this.#show(editor));
  }

  /** Shows nothing any more: the server is gone. */
  clear(): void {
    this.#known.clear();
    window.visibleTextEditors.forEach((editor) => this.#show(editor));
  }

  dispose(): void {
    this.#subscription.dispose();
    Object.values(this.#types).forEach((type) => type.dispose());
  }

  #show(editor: TextEditor): void {
    const coverage = this.#known.get(editor.document.uri.toString());
    for (const state of LINE_STATES) {
      const lines = stretches(coverage?.[state] ?? []);
      const marks = lines.map(([first, last]) => ({ range: new Range(first, 0, last, 0), hoverMessage: WORDS[state] }));
      editor.setDecorations(this.#types[state], marks);
    }
  }
}
