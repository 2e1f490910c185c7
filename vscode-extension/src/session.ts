// A session: one process of the server and the protocol with it, from the start to the end. It tells when and why it ended; what
// to do about that is client.ts's part. It decides nothing about Solidity: what the server sends is shown as it comes.

import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { createInterface } from "node:readline";
import { Uri, window, workspace, type Diagnostic, type LogOutputChannel } from "vscode";
import {
  CloseAction,
  CodeActionKind,
  CodeActionRequest,
  Command,
  DidChangeConfigurationNotification,
  ErrorAction,
  ExecuteCommandRequest,
  LanguageClient,
  RevealOutputChannelOn,
  State,
  type CodeAction,
  type LanguageClientOptions,
  type ExecuteCommandRegistrationOptions,
  type Middleware,
  type RegistrationData,
} from "vscode-languageclient/node";
import { isServerCommand, type ServerCommand } from "./commands";
import { COVERAGE, parseFileCoverage, type FileCoverage } from "./coverage";
import { FINDING, parseTrace, TRACE, type Trace } from "./findingRequests";
import type { Outcome } from "./generated";
import { parseLogLine } from "./log";
import { serverEnvironment } from "./server";
import { chosenSettings, isOurs, SECTION, settingsAt, type Settings } from "./settings";
import { parseServerStatus, STATUS_NOTIFICATION, type ServerStatus, type Status } from "./status";

/** How long a server may take to go after it was told to, in milliseconds. VS Code grants an extension five seconds to end, and two of
 * them are the language client's own, for the answer to `shutdown`. */
const PATIENCE_MS = 2_000;

/** Names the file in the active editor: its contracts are fuzzed first. */
const ACTIVE_EDITOR_NOTIFICATION = "bellwether/activeEditor";

/** The code action that writes the regression test of a finding. */
const GENERATE_TEST = "Generate regression test";

/** What a session needs from the extension around it. */
export interface Surface {
  /** Every key of the settings table, without the prefix. */
  settingKeys: readonly string[];
  output: LogOutputChannel;
  trace: LogOutputChannel;
  show(status: Status): void;
  cover(coverage: FileCoverage): void;
}

/** How a session ended. */
export interface End {
  why: string;
  ranForMs: number;
}

/** A language client that tells the user nothing by itself: what it has to say is in the output, and the status item shows the state. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }

  /** The commands of the palette are registered for good, by extension.ts: the language client gets what else the server offers. */
  override registerFeature(feature: Parameters<LanguageClient["registerFeature"]>[0]): void {
    if ("register" in feature && feature.registrationType.method === ExecuteCommandRequest.method) {
      const register = feature.register.bind(feature) as (data: RegistrationData<ExecuteCommandRegistrationOptions>) => void;
      feature.register = (data: RegistrationData<ExecuteCommandRegistrationOptions>) => {
        const commands = data.registerOptions.commands.filter((command) => !isServerCommand(command));
        register({ ...data, registerOptions: { ...data.registerOptions, commands } });
      };
    }
    super.registerFeature(feature);
  }
}

export class Session {
  /** Settles when nothing of the session is left: no process, no command, no diagnostic. */
  readonly ended: Promise<End>;
  readonly #surface: Surface;
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #client: LanguageClient;
  /** Settles with the reason when there is no process any more. */
  readonly #gone: Promise<string>;
  /** Set while the server is asked to go: the language client calls itself stopped before it has asked. */
  #stopping = false;
  /** What the server said last. */
  #said: ServerStatus | undefined;
  /** Set until the server has answered that it paused: what it says before of fuzzing is outdated. */
  #pausing = false;
  #isDown: () => void = () => undefined;

  /** Throws where the system cannot even try to run the file. */
  constructor(command: string, surface: Surface) {
    this.#surface = surface;
    const startedAt = Date.now();
    const extraEnv: unknown = workspace.getConfiguration(SECTION).get("server.extraEnv");
    const server = spawn(command, ["lsp"], { env: serverEnvironment(process.env, extraEnv) });
    this.#process = server;
    this.#gone = new Promise((resolve) => {
      server.once("error", (error) => resolve(`it could not be started: ${error.message}`));
      server.once("exit", (code, signal) => {
        resolve(signal === null ? `it exited with code ${code}` : `it was ended by ${signal}`);
        // A process that it started may hold the pipe open; the protocol is over all the same.
        server.stdout.destroy();
      });
    });
    createInterface({ input: server.stderr }).on("line", (line) => {
      const { level, text } = parseLogLine(line);
      surface.output[level](text);
    });
    // A write to a server that has just died fails; that it died is what gets reported.
    server.stdin.on("error", () => undefined);

    this.#client = new QuietClient(
      SECTION,
      "Bellwether",
      () =>
        new Promise((resolve, reject) => {
          server.once("spawn", () => resolve({ reader: server.stdout, writer: server.stdin }));
          server.once("error", reject);
        }),
      this.#options(),
    );
    this.#client.onNotification(STATUS_NOTIFICATION, (params: unknown) => this.#statusCame(params));
    this.#client.onNotification(COVERAGE, (params: unknown) => this.#coverageCame(params));
    const down = new Promise<void>((resolve) => {
      this.#isDown = resolve;
      this.#client.onDidChangeState(({ newState }) => {
        if (newState === State.Starting || newState === State.Running) {
          surface.show({ from: "client", state: newState === State.Starting ? "starting" : "running" });
          this.#tellActiveEditor();
        } else if (!this.#stopping) {
          resolve();
        }
      });
    });
    const listener = window.onDidChangeActiveTextEditor(() => this.#tellActiveEditor());
    this.ended = down.then(async () => {
      listener.dispose();
      return { why: await this.#reap(), ranForMs: Date.now() - startedAt };
    });
    // Why it failed is in the output, and the state says that it did.
    this.#client.start().catch(() => undefined);
  }

  /** Has the server carry out a command. That it pauses shows at once, not when its next status comes. */
  async execute(command: ServerCommand): Promise<void> {
    if (command === "bellwether.pause" && this.#said?.state === "fuzzing") {
      this.#pausing = true;
      this.#surface.show({ from: "server", ...this.#said, state: "paused", executionsPerSecond: 0 });
    }
    try {
      await this.#client.sendRequest(ExecuteCommandRequest.type, { command });
    } finally {
      this.#pausing = false;
    }
  }

  /** The coverage of all files. */
  async coverage(): Promise<FileCoverage[]> {
    const files: unknown = await this.#client.sendRequest(COVERAGE, {});
    return Array.isArray(files) ? files.map(parseFileCoverage).filter((file) => file !== undefined) : [];
  }

  /** The trace of a finding; undefined if the server answers something else. */
  async trace(id: string): Promise<Trace | undefined> {
    return parseTrace(await this.#client.sendRequest(TRACE, { id }));
  }

  /** The JSON form of a finding. */
  finding(id: string): Promise<unknown> {
    return this.#client.sendRequest(FINDING, { id });
  }

  /** Writes the regression test of each finding that is shown, and saves it. One after the other: a test may go into the file of the one before. */
  async generateTests(): Promise<Outcome[]> {
    const shown: [Uri, Diagnostic, string][] = [];
    this.#client.diagnostics?.forEach((uri, diagnostics) => {
      for (const diagnostic of diagnostics) {
        const id = findingOf(diagnostic);
        if (id !== undefined) {
          shown.push([uri, diagnostic, id]);
        }
      }
    });
    const outcomes: Outcome[] = [];
    for (const [uri, diagnostic, id] of shown) {
      outcomes.push(await this.#generateTest(uri, diagnostic, id));
    }
    return outcomes;
  }

  async #generateTest(uri: Uri, diagnostic: Diagnostic, id: string): Promise<Outcome> {
    const toProtocol = this.#client.code2ProtocolConverter;
    const actions = await this.#client.sendRequest(CodeActionRequest.type, {
      textDocument: { uri: toProtocol.asUri(uri) },
      range: toProtocol.asRange(diagnostic.range),
      context: { diagnostics: [toProtocol.asDiagnostic(diagnostic)], only: [CodeActionKind.QuickFix] },
    });
    // The server offers the actions of all findings on these lines.
    const action = actions?.find(
      (it): it is CodeAction => !Command.is(it) && it.title === GENERATE_TEST && it.diagnostics?.some(({ data }) => data === id) === true,
    );
    if (action === undefined) {
      return { refused: "it is no longer there" };
    }
    const edit = await this.#client.protocol2CodeConverter.asWorkspaceEdit(action.edit);
    const file = edit?.entries()[0]?.[0];
    if (edit === undefined || file === undefined) {
      return { refused: action.disabled?.reason ?? "the server returned no test" };
    }
    if (!(await workspace.applyEdit(edit))) {
      return { refused: `${file.fsPath} cannot be written` };
    }
    await (await workspace.openTextDocument(file)).save();
    return { file: file.toString() };
  }

  /** Asks the server to go, and ends it where it does not. */
  async stop(): Promise<void> {
    this.#stopping = true;
    // It rejects while the server still starts, and where the server hangs: then there is only the hard way.
    const asked = await this.#client.stop().then(
      () => true,
      () => false,
    );
    if (!asked) {
      this.#process.kill("SIGKILL");
    }
    this.#isDown();
    await this.ended;
  }

  /** Sees the process off, once the protocol with it is over. The end of its input tells it to go. */
  async #reap(): Promise<string> {
    this.#process.stdin.end();
    const timer = setTimeout(() => {
      this.#surface.output.warn("The server does not end, and is killed.");
      this.#process.kill("SIGKILL");
    }, PATIENCE_MS);
    const why = await this.#gone;
    clearTimeout(timer);
    return why;
  }

  #tellActiveEditor(): void {
    if (this.#client.state !== State.Running) {
      return;
    }
    const document = window.activeTextEditor?.document;
    const uri = document === undefined ? null : this.#client.code2ProtocolConverter.asUri(document.uri);
    // Where the server has just gone, that gets reported.
    this.#client.sendNotification(ACTIVE_EDITOR_NOTIFICATION, { uri }).catch(() => undefined);
  }

  #statusCame(params: unknown): void {
    const status = parseServerStatus(params);
    if (status === undefined) {
      this.#surface.output.warn(`${STATUS_NOTIFICATION} was ignored, because it is not a status: ${JSON.stringify(params)}`);
    } else if (this.#client.state === State.Running && !(this.#pausing && status.state === "fuzzing")) {
      this.#said = status;
      this.#surface.show({ from: "server", ...status });
    }
  }

  #coverageCame(params: unknown): void {
    const coverage = parseFileCoverage(params);
    if (coverage === undefined) {
      this.#surface.output.warn(`${COVERAGE} was ignored, because it is not coverage data: ${JSON.stringify(params)}`);
    } else if (this.#client.state === State.Running) {
      this.#surface.cover(coverage);
    }
  }

  #options(): LanguageClientOptions {
    const { output, trace } = this.#surface;
    return {
      documentSelector: [{ scheme: "file", language: "solidity" }],
      initializationOptions: () => ({ ...this.#settings(), trusted: workspace.isTrusted, diagnosticsInHover: true, findingCommands: true }),
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- the server takes settings pushed as well as pulled
      synchronize: { configurationSection: SECTION },
      middleware: { workspace: this.#configurationMiddleware() },
      outputChannel: output,
      traceOutputChannel: trace,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationFailedHandler: () => false,
      // The language client would give up after a few crashes; starting again is client.ts's part.
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => ({ action: CloseAction.DoNotRestart, handled: true, message: "The connection to the server was closed." }),
      },
    };
  }

  /** Makes the pushed and the pulled configuration the same as the one in `initializationOptions`. */
  #configurationMiddleware(): NonNullable<Middleware["workspace"]> {
    return {
      didChangeConfiguration: () =>
        this.#client.sendNotification(DidChangeConfigurationNotification.type, { settings: { [SECTION]: this.#settings() } }),
      configuration: async (params, token, next) => {
        const answers: unknown = await next(params, token);
        if (!Array.isArray(answers)) {
          return [];
        }
        const others: unknown[] = answers;
        return params.items.map(({ section, scopeUri }, index) =>
          isOurs(section) ? settingsAt(this.#settings(scopeUri), section) : others[index],
        );
      },
    };
  }

  #settings(scope?: string): Settings {
    const uri = scope === undefined ? undefined : Uri.parse(scope);
    return chosenSettings(this.#surface.settingKeys, workspace.getConfiguration(SECTION, uri));
  }
}

/** The id of the finding that a diagnostic shows; other diagnostics have none. */
function findingOf(diagnostic: Diagnostic): string | undefined {
  const data: unknown = "data" in diagnostic ? diagnostic.data : undefined;
  return typeof data === "string" ? data : undefined;
}
