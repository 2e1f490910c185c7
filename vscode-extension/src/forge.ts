// Forge: where it is, and how it runs one regression test. Pure; regressionTests.ts shows and starts it.

import * as path from "node:path";
import { executableName, onPath, type Surroundings } from "./server";

/** A test of a file that the server wrote. */
export interface RegressionTest {
  name: string;
  /** Counts from 0. */
  line: number;
}

const DECLARATION = /^\s*function\s+(test_regression_\w+)\s*\(/;

export function testsIn(text: string): RegressionTest[] {
  return text.split("\n").flatMap((content, line) => {
    const name = DECLARATION.exec(content)?.[1];
    return name === undefined ? [] : [{ name, line }];
  });
}

/** What forge is told to run this test alone; the file counts from the project's root. */
export function forgeArguments(file: string, test: string): string[] {
  return ["test", "--match-path", file, "--match-test", `^${test}(\\(|$)`, "-vv"];
}

/** On PATH, else where Foundry's installer puts it. */
export function findForge(around: Pick<Surroundings, "platform" | "homeFolder" | "searchPath" | "isExecutable">): string | undefined {
  const installed = path.join(around.homeFolder, ".foundry/bin", executableName("forge", around.platform));
  return [...onPath("forge", around), installed].find((place) => around.isExecutable(place));
}

/** The nearest folder above the file, and not above `top`, that has a foundry.toml; `top` where there is none. */
export function projectRoot(file: string, top: string, exists: (file: string) => boolean): string {
  for (let folder = path.dirname(file); folder.startsWith(top); folder = path.dirname(folder)) {
    if (exists(path.join(folder, "foundry.toml"))) {
      return folder;
    }
    if (folder === top) {
      break;
    }
  }
  return top;
}
