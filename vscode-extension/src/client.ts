// The client: it keeps one session with the server going. Starts, stops and restarts are done in the order in which they were asked
// for, and a server that ends by itself is started again after the wait that backoff.ts names.

import { homedir } from "node:os";
import { commands, env, window, workspace } from "vscode";
import { BackOff } from "./backoff";
import { findServer, isExecutableFile, type Lookup } from "./server";
import type { ServerCommand } from "./commands";
import type { FileCoverage } from "./coverage";
import type { Trace } from "./findingRequests";
import type { Outcome } from "./generated";
import { Session, type End, type Surface } from "./session";
import { SECTION } from "./settings";

/** What the client needs from the extension that holds it. */
export interface Surroundings extends Surface {
  extensionFolder: string;
}

export class Client {
  readonly #around: Surroundings;
  readonly #backOff = new BackOff();
  #session: Session | undefined;
  #countdown: NodeJS.Timeout | undefined;
  #turn: Promise<void> = Promise.resolve();

  constructor(around: Surroundings) {
    this.#around = around;
  }

  start(): Promise<void> {
    return this.#inTurn(() => {
      if (this.#session === undefined) {
        this.#beginAnew();
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

  /** Has the server carry out a command, if there is one. */
  async execute(command: ServerCommand): Promise<void> {
    await this.#session?.execute(command);
  }

  /** The coverage of all files; none without a server. */
  async coverage(): Promise<FileCoverage[]> {
    return (await this.#session?.coverage()) ?? [];
  }

  /** The trace of a finding; undefined without a server. */
  async trace(id: string): Promise<Trace | undefined> {
    return await this.#session?.trace(id);
  }

  /** The JSON form of a finding; undefined without a server. */
  async finding(id: string): Promise<unknown> {
    return await this.#session?.finding(id);
  }

  /** Writes the regression test of each finding that is shown; none without a server. */
  async generateTests(): Promise<Outcome[]> {
    return (await this.#session?.generateTests()) ?? [];
  }

  /** Restarts if there is something to restart: a server that was stopped on purpose, or not found, stays away. */
  async restartIfRunning(): Promise<void> {
    if (this.#session !== undefined) {
      await this.restart();
    }
  }

  #inTurn(action: () => Promise<void> | void): Promise<void> {
    const done = this.#turn.then(action);
    this.#turn = done.catch((error: unknown) => this.#around.output.error(String(error)));
    return done;
  }

  /** Does not wait for the server's answer to `initialize`: a server that never gives one must still be stoppable. */
  #open(): void {
    const lookup = this.#findServer();
    if (lookup.kind === "missing") {
      this.#around.output.error(lookup.message);
      this.#around.show({ from: "client", state: "missing", message: lookup.message });
      void this.#offerHelp(lookup.message);
      return;
    }
    this.#run(lookup.command);
  }

  /** After a crash. A server that is not found now may be back soon, as when it is being built anew. */
  #openAgain(): void {
    const lookup = this.#findServer();
    if (lookup.kind === "missing") {
      this.#wait({ why: lookup.message, ranForMs: 0 });
      return;
    }
    this.#run(lookup.command);
  }

  #run(command: string): void {
    this.#around.output.info(`Starting ${command} lsp`);
    try {
      const session = new Session(command, this.#around);
      this.#session = session;
      void session.ended.then((end) =>
        this.#inTurn(() => {
          // Otherwise it was stopped on purpose.
          if (session === this.#session) {
            this.#session = undefined;
            this.#wait(end);
          }
        }),
      );
    } catch (error) {
      this.#wait({ why: `it could not be started: ${error instanceof Error ? error.message : String(error)}`, ranForMs: 0 });
    }
  }

  async #close(): Promise<void> {
    this.#beginAnew();
    const session = this.#session;
    this.#session = undefined;
    await session?.stop();
    this.#around.show({ from: "client", state: "stopped" });
  }

  #beginAnew(): void {
    this.#backOff.reset();
    clearTimeout(this.#countdown);
    this.#countdown = undefined;
  }

  /** Counts the seconds down, and starts the server again. */
  #wait({ why, ranForMs }: End): void {
    const { crashes, waitMs } = this.#backOff.crashed(ranForMs);
    const when = waitMs === 0 ? "at once" : `in ${waitMs / 1_000} s`;
    this.#around.output.error(`The server ended by itself: ${why}. It is started again ${when}.`);
    const at = Date.now() + waitMs;
    const tick = () => {
      const leftMs = at - Date.now();
      if (leftMs > 0) {
        this.#around.show({ from: "client", state: "restarting", why, crashes, seconds: Math.ceil(leftMs / 1_000) });
        this.#countdown = setTimeout(tick, ((leftMs - 1) % 1_000) + 1);
      } else {
        this.#countdown = undefined;
        this.#openAgain();
      }
    };
    tick();
  }

  #findServer(): Lookup {
    return findServer({
      platform: process.platform,
      configuredPath: workspace.getConfiguration(SECTION).get("server.path", ""),
      extensionFolder: this.#around.extensionFolder,
      workspaceFolder: workspace.workspaceFolders?.[0]?.uri.fsPath,
      homeFolder: homedir(),
      searchPath: process.env["PATH"],
      isExecutable: isExecutableFile,
    });
  }

  async #offerHelp(message: string): Promise<void> {
    const help: Record<string, () => unknown> = {
      "How to Install": () => commands.executeCommand("bellwether.howToInstall"),
      "Open Settings": () => commands.executeCommand(settingsCommand(), { query: `${SECTION}.server.path` }),
      "Try Again": () => this.start(),
    };
    const chosen = await window.showErrorMessage(message, ...Object.keys(help));
    await help[chosen ?? ""]?.();
  }
}

/** In a remote window the path is one of the remote machine, and the user's own settings do not have it. */
function settingsCommand(): string {
  return env.remoteName === undefined ? "workbench.action.openSettings" : "workbench.action.openRemoteSettings";
}
