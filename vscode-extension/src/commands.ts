// The commands: their names, which package.json declares too (a test compares). What each does is in extension.ts; when it does nothing,
// and what it says then, in applicable.ts.

/** Those that the server carries out. */
export const SERVER_COMMANDS = ["bellwether.pause", "bellwether.resume", "bellwether.clear", "bellwether.showTargets"] as const;

/** All that the palette offers, in the order of the menu: the likeliest first. The extension registers each once and for good, so that one
 * without a server says so. */
export const COMMANDS = [
  "bellwether.start",
  "bellwether.pause",
  "bellwether.resume",
  "bellwether.generateTests",
  "bellwether.toggleCoverage",
  "bellwether.showCoverage",
  "bellwether.showTargets",
  "bellwether.showOutput",
  "bellwether.toggleTrace",
  "bellwether.restart",
  "bellwether.stop",
  "bellwether.clear",
  "bellwether.howToInstall",
  "bellwether.showMenu",
] as const;

export type Command = (typeof COMMANDS)[number];
export type ServerCommand = (typeof SERVER_COMMANDS)[number];

export function isServerCommand(command: string): command is ServerCommand {
  return SERVER_COMMANDS.some((name) => name === command);
}
