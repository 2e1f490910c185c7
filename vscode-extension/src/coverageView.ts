// VS Code's own coverage view: what the fuzzer reached so far, handed over as the coverage of a test run.

import {
  commands,
  FileCoverage as Shown,
  Position,
  StatementCoverage,
  TestRunProfileKind,
  TestRunRequest,
  tests,
  Uri,
  window,
  type Disposable,
  type TestController,
} from "vscode";
import { runs, type FileCoverage } from "./coverage";

/** VS Code's command that opens its side bar for tests. */
const TESTING = "workbench.view.extension.test";

export class CoverageView implements Disposable {
  readonly #controller: TestController;
  readonly #ask: () => Promise<FileCoverage[]>;

  /** `ask` gets the coverage of all files. */
  constructor(ask: () => Promise<FileCoverage[]>) {
    this.#ask = ask;
    this.#controller = tests.createTestController("bellwether", "Bellwether");
    this.#controller.items.add(this.#controller.createTestItem("fuzzed", "What the fuzzer reached"));
    const profile = this.#controller.createRunProfile("What the fuzzer reached", TestRunProfileKind.Coverage, (request) => this.#show(request), true);
    profile.loadDetailedCoverage = (_run, file) => Promise.resolve(details.get(file) ?? []);
  }

  /** Shows what is reached now, and opens the side bar that the view is in. */
  async show(): Promise<void> {
    await this.#show(new TestRunRequest());
    await commands.executeCommand(TESTING);
  }

  dispose(): void {
    this.#controller.dispose();
  }

  async #show(request: TestRunRequest): Promise<void> {
    const files = await this.#ask();
    if (files.length === 0) {
      void window.showInformationMessage("There is no coverage: no contract is fuzzed yet.");
      return;
    }
    const run = this.#controller.createTestRun(request, "What the fuzzer reached");
    for (const file of files) {
      const statements = runs(file).map(({ line, count }) => new StatementCoverage(count, new Position(line, 0)));
      const shown = Shown.fromDetails(Uri.parse(file.uri), statements);
      details.set(shown, statements);
      run.addCoverage(shown);
    }
    for (const [, item] of this.#controller.items) {
      run.passed(item);
    }
    run.end();
  }
}

/** The lines of each file that was handed over. */
const details = new WeakMap<Shown, StatementCoverage[]>();
