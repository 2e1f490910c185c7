// The commands: their names, which package.json declares too (a test compares). What each does is in extension.ts.

export const COMMANDS = ["bellwether.start", "bellwether.stop", "bellwether.restart", "bellwether.showOutput"] as const;

export type Command = (typeof COMMANDS)[number];
