// The commands: their names, which package.json declares too (a test compares). What each of ours does is in extension.ts.

/** Those that the extension carries out. */
export const COMMANDS = ["bellwether.start", "bellwether.stop", "bellwether.restart", "bellwether.showOutput"] as const;

/** Those that the server carries out. The language client registers them while the server runs, and each name can be registered only once. */
export const SERVER_COMMANDS = ["bellwether.pause", "bellwether.resume", "bellwether.clear", "bellwether.showTargets"] as const;

export type Command = (typeof COMMANDS)[number];
