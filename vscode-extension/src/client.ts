// The client: one running server and the protocol with it, started, stopped and replaced on request. It decides nothing about
// Solidity; what the server sends is shown as it comes.

import { homedir } from "node:os";
import { createInterface } from "node:readline";
import { commands, Uri, window, workspace, type LogOutputChannel } from "vscode";
import {
  CloseAction,
  DidChangeConfigurationNotification,
  LanguageClient,
  RevealOutputChannelOn,
  State,
  type LanguageClientOptions,
  type Middleware,
} from "vscode-languageclient/node";
import { findServer, isExecutableFile, serverEnvironment, type Lookup } from "./server";
import { chosenSettings, isOurs, SECTION, settingsAt, type Settings } from "./settings";
import { parseServerStatus, STATUS_NOTIFICATION, type Status } from "./status";

/** What the client needs from the extension that holds it. */
export interface Surface {
  extensionFolder: string;
  /** Every key of the settings table, without the prefix. */
  settingKeys: readonly string[];
  output: LogOutputChannel;
  trace: LogOutputChannel;
  show(status: Status): void;
}

export class Client {
  readonly #surface: Surface;
  #current: LanguageClient | undefined;
  #turn: Promise<void> = Promise.resolve();

  constructor(surface: Surface) {
    this.#surface = surface;
  }

  get isRunning(): boolean {
    return this.#current?.state === State.Starting || this.#current?.state === State.Running;
  }

  start(): Promise<void> {
    return this.#inTurn(async () => {
      if (!this.isRunning) {
        this.#open();
      }
    });
  }

  stop(): Promise<void> {
    return this.#inTurn(() => this.#close());
  }

  restart(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#close();
      this.#open();
    });
  }

  /** Starts and stops run one after the other, in the order in which they were asked for. */
  #inTurn(action: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(action);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  /** Does not wait for the server's answer to `initialize`: a server that never gives one must still be stoppable. */
  #open(): void {
    const { output, show } = this.#surface;
    const lookup = this.#findServer();
    if (lookup.kind === "missing") {
      output.error(lookup.message);
      show({ from: "client", state: "failed", message: lookup.message });
      void offerSettings(lookup.message);
      return;
    }

    output.info(`Starting ${lookup.command} lsp`);
    const client = this.#connect(lookup.command);
    this.#current = client;
    client.onNotification(STATUS_NOTIFICATION, (params: unknown) => {
      const status = parseServerStatus(params);
      if (status === undefined) {
        output.warn(`${STATUS_NOTIFICATION} was ignored, it is no status: ${JSON.stringify(params)}`);
      } else if (client === this.#current) {
        show({ from: "server", ...status });
      }
    });
    client.onDidChangeState(({ newState }) => {
      if (client === this.#current) {
        this.#stateChanged(newState);
      }
    });
    // The language client itself logs the failure and tells the user.
    client.start().catch(() => undefined);
  }

  async #close(): Promise<void> {
    const client = this.#current;
    const runs = this.isRunning;
    this.#current = undefined;
    this.#surface.show({ from: "client", state: "stopped" });
    if (client === undefined || !runs) {
      return;
    }
    // It rejects where the server had to be killed: hung, or stopped while it still started.
    await client.stop().catch((error: unknown) => this.#surface.output.warn(`The server did not stop by itself: ${String(error)}`));
  }

  #stateChanged(state: State): void {
    const { show } = this.#surface;
    switch (state) {
      case State.Starting:
        show({ from: "client", state: "starting" });
        break;
      case State.Running:
        show({ from: "client", state: "running" });
        break;
      case State.StartFailed:
      case State.Stopped:
        show({ from: "client", state: "failed", message: "The server ended. The output says why." });
        break;
    }
  }

  #findServer(): Lookup {
    return findServer({
      platform: process.platform,
      configuredPath: workspace.getConfiguration(SECTION).get("server.path", ""),
      extensionFolder: this.#surface.extensionFolder,
      workspaceFolder: workspace.workspaceFolders?.[0]?.uri.fsPath,
      homeFolder: homedir(),
      searchPath: process.env["PATH"],
      isExecutable: isExecutableFile,
    });
  }

  #connect(command: string): LanguageClient {
    const extraEnv: unknown = workspace.getConfiguration(SECTION).get("server.extraEnv");
    const options: LanguageClientOptions = {
      documentSelector: [{ scheme: "file", language: "solidity" }],
      initializationOptions: () => ({ ...this.#settings(), trusted: workspace.isTrusted }),
      synchronize: { configurationSection: SECTION },
      middleware: { workspace: this.#configurationMiddleware(() => client) },
      outputChannel: this.#surface.output,
      traceOutputChannel: this.#surface.trace,
      // A failed request is logged; only a server that cannot run is worth a notification.
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationFailedHandler: () => false,
      // The language client's own rule for a server that crashes (start it again, at most four times in three minutes), but
      // not for one that was stopped, nor for one that never came up.
      errorHandler: {
        error: (...args) => usual.error(...args),
        closed: () =>
          client === this.#current && client.state === State.Running
            ? usual.closed()
            : { action: CloseAction.DoNotRestart, handled: true },
      },
      stdioOptions: {
        stdout: () => undefined, // carries the protocol
        stderr: (lines, output) => void createInterface({ input: lines }).on("line", (line) => output.info(line)),
      },
    };
    const client = new LanguageClient(
      SECTION,
      "Bellwether",
      { command, args: ["lsp"], options: { env: serverEnvironment(process.env, extraEnv) } },
      options,
    );
    const usual = client.createDefaultErrorHandler();
    return client;
  }

  /** Makes the pushed and the pulled configuration the same as the one in `initializationOptions`. */
  #configurationMiddleware(client: () => LanguageClient): NonNullable<Middleware["workspace"]> {
    return {
      didChangeConfiguration: () =>
        client().sendNotification(DidChangeConfigurationNotification.type, { settings: { [SECTION]: this.#settings() } }),
      configuration: async (params, token, next) => {
        const answers = await next(params, token);
        if (!Array.isArray(answers)) {
          return answers;
        }
        return params.items.map(({ section, scopeUri }, index) =>
          isOurs(section) ? settingsAt(this.#settings(scopeUri), section) : answers[index],
        );
      },
    };
  }

  #settings(scope?: string): Settings {
    const uri = scope === undefined ? undefined : Uri.parse(scope);
    return chosenSettings(this.#surface.settingKeys, workspace.getConfiguration(SECTION, uri));
  }
}

async function offerSettings(message: string): Promise<void> {
  const open = "Open Settings";
  if ((await window.showErrorMessage(message, open)) === open) {
    await commands.executeCommand("workbench.action.openSettings", `${SECTION}.server`);
  }
}
