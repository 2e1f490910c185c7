// The server: the `bellwether` executable, and where it is looked for. Pure, so that it is tested without an editor;
// starting it is client.ts's part.

import { accessSync, constants, statSync } from "node:fs";
import * as path from "node:path";

/** What the search depends on: the machine, the extension's folder and the user's setting. */
export interface Surroundings {
  platform: NodeJS.Platform;
  /** `bellwether.server.path`; empty when it is not set. */
  configuredPath: string;
  extensionFolder: string;
  /** The first workspace folder, from which a relative `configuredPath` counts. */
  workspaceFolder: string | undefined;
  homeFolder: string;
  /** The value of the environment's PATH. */
  searchPath: string | undefined;
  isExecutable(file: string): boolean;
}

export type Lookup = { kind: "found"; command: string } | { kind: "missing"; message: string };

/** Looks in the setting, then in the extension's own folder, then on PATH. A setting that is wrong is an error, not a reason to look on. */
export function findServer(around: Surroundings): Lookup {
  if (around.configuredPath !== "") {
    const command = resolveConfigured(around);
    if (around.isExecutable(command)) {
      return { kind: "found", command };
    }
    return {
      kind: "missing",
      message:
        `The setting bellwether.server.path names ${command}, which is not an executable file. ` +
        "Correct it, or clear it to use the server inside the extension or the one on PATH.",
    };
  }

  const places = [bundled(around), ...onPath("bellwether", around)];
  const command = places.find((place) => around.isExecutable(place));
  if (command !== undefined) {
    return { kind: "found", command };
  }
  return {
    kind: "missing",
    message:
      "There is no bellwether server inside the extension and none on PATH. Install bellwether in a folder that is on PATH, " +
      'or set bellwether.server.path to the executable; then run "Bellwether: Start Server".',
  };
}

/** The server's environment: the editor's own, and over it `bellwether.server.extraEnv`. */
export function serverEnvironment(base: NodeJS.ProcessEnv, extra: unknown): NodeJS.ProcessEnv {
  const environment = { ...base };
  if (typeof extra === "object" && extra !== null) {
    for (const [name, value] of Object.entries(extra)) {
      environment[name] = String(value);
    }
  }
  return environment;
}

export function isExecutableFile(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

function resolveConfigured({ platform, configuredPath, workspaceFolder, homeFolder }: Surroundings): string {
  const paths = pathsOf(platform);
  if (configuredPath.startsWith("~/")) {
    return paths.join(homeFolder, configuredPath.slice(2));
  }
  return workspaceFolder === undefined ? configuredPath : paths.resolve(workspaceFolder, configuredPath);
}

function bundled({ platform, extensionFolder }: Surroundings): string {
  return pathsOf(platform).join(extensionFolder, "server", executableName("bellwether", platform));
}

/** Entries that are not absolute are left out: they would mean the folder that is open, which may not be trusted. */
export function onPath(program: string, { platform, searchPath }: Pick<Surroundings, "platform" | "searchPath">): string[] {
  const paths = pathsOf(platform);
  return (searchPath ?? "")
    .split(paths.delimiter)
    .filter((folder) => paths.isAbsolute(folder))
    .map((folder) => paths.join(folder, executableName(program, platform)));
}

export function executableName(program: string, platform: NodeJS.Platform): string {
  return platform === "win32" ? `${program}.exe` : program;
}

function pathsOf(platform: NodeJS.Platform): path.PlatformPath {
  return platform === "win32" ? path.win32 : path.posix;
}
