// What the code actions on a finding do that the server leaves to the client: the trace of its calls as a document that is not on disk,
// and its JSON form in the clipboard.

import { commands, Disposable, env, EventEmitter, Uri, window, workspace, type TextDocumentContentProvider } from "vscode";
import type { Trace } from "./findingRequests";

const SCHEME = "bellwether-trace";

/** What is asked of the server by the id of a finding. It rejects where the finding is gone, with words that say so. */
export interface FindingSource {
  trace(id: string): Promise<Trace | undefined>;
  finding(id: string): Promise<unknown>;
}

/** The two commands, and the documents that the first one opens. */
export function findingCommands(source: FindingSource): Disposable {
  const traces = new Traces(source);
  const tell = (work: (id: string) => Promise<void>) => (id: string) =>
    work(id).catch((error: unknown) => void window.showWarningMessage(error instanceof Error ? error.message : String(error)));
  return Disposable.from(
    traces,
    workspace.registerTextDocumentContentProvider(SCHEME, traces),
    commands.registerCommand(
      "bellwether.openTrace",
      tell((id) => traces.open(id)),
    ),
    commands.registerCommand(
      "bellwether.copyFinding",
      tell(async (id) => {
        await env.clipboard.writeText(`${JSON.stringify(await source.finding(id), undefined, 2)}\n`);
        window.setStatusBarMessage("The finding was copied as JSON.", 3_000);
      }),
    ),
  );
}

/** The documents with traces. One that is opened again is asked for again: the code may be another one by then. */
class Traces implements TextDocumentContentProvider, Disposable {
  readonly #source: FindingSource;
  readonly #texts = new Map<string, string>();
  readonly #changed = new EventEmitter<Uri>();
  readonly onDidChange = this.#changed.event;

  constructor(source: FindingSource) {
    this.#source = source;
  }

  async open(id: string): Promise<void> {
    const trace = await this.#source.trace(id);
    if (trace === undefined) {
      return;
    }
    const uri = Uri.from({ scheme: SCHEME, path: `/${trace.title}.txt`, query: id });
    this.#texts.set(uri.toString(), trace.text);
    this.#changed.fire(uri);
    await window.showTextDocument(await workspace.openTextDocument(uri), { preview: true });
  }

  provideTextDocumentContent(uri: Uri): string {
    return this.#texts.get(uri.toString()) ?? "The trace is gone. Use \u201cReplay and show trace\u201d on the finding once more.\n";
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
