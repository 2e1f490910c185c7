// The settings, as they go to the server: a tree without the `bellwether.` prefix, of only what the user has set. Defaults stay
// out, so that the server can tell "set in the editor" from "not set" and let `bellwether.toml` fill the gap. What a
// value means, and whether it is a good one, is the server's to say.

export const SECTION = "bellwether";

/** A tree of values: `{ "budget": { "seconds": 5 } }`. */
export type Settings = { [key: string]: unknown };

/** The part of VS Code's `WorkspaceConfiguration` that is needed here, opened at `SECTION`. */
export interface Configuration {
  get(key: string): unknown;
  inspect(key: string): { defaultValue?: unknown; globalValue?: unknown; workspaceValue?: unknown; workspaceFolderValue?: unknown } | undefined;
}

/** The settings that the extension's manifest declares, without the prefix. */
export function declaredKeys(manifest: unknown): string[] {
  const { contributes } = manifest as { contributes: { configuration: { properties: object } } };
  return Object.keys(contributes.configuration.properties).map((key) => key.slice(SECTION.length + 1));
}

export function chosenSettings(keys: readonly string[], configuration: Configuration): Settings {
  const settings: Settings = {};
  for (const key of keys) {
    if (isSet(key, configuration)) {
      insert(settings, key.split("."), configuration.get(key));
    }
  }
  return settings;
}

/** One item of a `workspace/configuration` answer: the subtree at `section` (`bellwether`, `bellwether.oracles`), or null if nothing there is set. */
export function settingsAt(settings: Settings, section: string): unknown {
  let at: unknown = settings;
  for (const name of section.split(".").slice(1)) {
    at = isTree(at) ? at[name] : undefined;
  }
  return at ?? null;
}

export function isOurs(section: string | undefined | null): section is string {
  return section === SECTION || (section?.startsWith(`${SECTION}.`) ?? false);
}

function isSet(key: string, configuration: Configuration): boolean {
  const found = configuration.inspect(key);
  return [found?.globalValue, found?.workspaceValue, found?.workspaceFolderValue].some((value) => value !== undefined);
}

function insert(tree: Settings, names: string[], value: unknown): void {
  const [first, ...rest] = names as [string, ...string[]];
  if (rest.length === 0) {
    tree[first] = value;
    return;
  }
  const branch = tree[first];
  const below = isTree(branch) ? branch : {};
  tree[first] = below;
  insert(below, rest, value);
}

function isTree(value: unknown): value is Settings {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
