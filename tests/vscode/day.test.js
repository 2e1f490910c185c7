// A day with the extension in a real workbench: a defect is typed in, underlined, told on hover, written as a test by the light bulb, mended, and gone;
// servers crash and come back; one cannot be found. Run by `server/tests/vscode.rs`, which says where things are:
//
//   BELLWETHER_SERVER       the executable to put inside the extension
//   BELLWETHER_COMPILERS    a folder of compilers, so that none is fetched again
//   BELLWETHER_FORGE        the executable of forge
//   BELLWETHER_SOLC         the executable that forge compiles with
//   BELLWETHER_TEST_CACHE   where code-server, Chromium and npm packages are kept between runs
//   BELLWETHER_TEST_OUTPUT  where a picture of each step goes, and the logs of a run that failed

"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { after, before, test } = require("node:test");
const { browser: findBrowser } = require("./browser");
const { Editor, LIMIT_MS, written } = require("./editor");
const { killAll, processesOf, serversOf } = require("./processes");
const { Workbench } = require("./workbench");

const { BELLWETHER_SERVER, BELLWETHER_COMPILERS, BELLWETHER_FORGE, BELLWETHER_SOLC, BELLWETHER_TEST_OUTPUT } = process.env;
const manifest = require("../../vscode-extension/package.json");
const FIXTURE = path.join(__dirname, "../../fixtures/vault");
const MENDED = "balance - totalShares - totalQueued;";
const BROKEN = "balance - totalShares;";

const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "bellwether-vscode-")));
const project = path.join(folder, "vault");
const vault = path.join(project, "src/Vault.sol");
let workbench, browser, editor;
let failed = true;

/** Nothing of ours outlives the run, however it ends. */
process.once("exit", () => killAll(folder));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.once(signal, () => process.exit(1));
}

before(async () => {
  fs.rmSync(BELLWETHER_TEST_OUTPUT, { recursive: true, force: true });
  fs.mkdirSync(BELLWETHER_TEST_OUTPUT, { recursive: true });
  console.log(`# pictures of each step: ${BELLWETHER_TEST_OUTPUT}`);
  fs.cpSync(FIXTURE, project, { recursive: true });
  const text = fs.readFileSync(vault, "utf8").replace(/ *\/\/~ ERROR.*/g, "");
  fs.writeFileSync(vault, text.replace(`${BROKEN}\n`, `${MENDED}\n`));
  assert.notEqual(fs.readFileSync(vault, "utf8"), text, "the fixture has its defect");

  const { chromium, ripgrep, env } = findBrowser();
  workbench = await Workbench.start({
    folder,
    ripgrep,
    server: BELLWETHER_SERVER,
    compilers: BELLWETHER_COMPILERS,
    forge: BELLWETHER_FORGE,
    solc: BELLWETHER_SOLC,
  });
  const playwright = require(path.join(workbench.modules, "playwright-core"));
  browser = await playwright.chromium.launch({
    executablePath: chromium,
    args: ["--no-sandbox"],
    env: { ...process.env, ...env, HOME: path.join(folder, "home"), TMPDIR: folder },
  });
  editor = await Editor.open(browser, workbench.address(project, "src/Vault.sol"), BELLWETHER_TEST_OUTPUT);
});

after(async () => {
  if (failed) {
    await editor?.picture("failed").catch(() => undefined);
    fs.cpSync(path.join(folder, "data/logs"), path.join(BELLWETHER_TEST_OUTPUT, "logs"), { recursive: true });
  }
  await browser?.close();
  await workbench?.stop();
  killAll(folder);
  fs.rmSync(folder, { recursive: true, force: true });
});

/** One step of the day. Each needs what the ones before it did, so nothing runs after one that failed. */
function step(name, action) {
  test(name, { timeout: 2 * LIMIT_MS }, async (t) => {
    if (broken !== undefined) {
      t.skip(`after ${broken}`);
      return;
    }
    broken = name;
    await action();
    broken = undefined;
  });
}
let broken;

/** The one server that runs, once it is not the one that is no more. */
async function server(gone) {
  return until(() => serversOf(folder).find(({ pid }) => pid !== gone && serversOf(folder).length === 1));
}

/** All of the output: the panel draws only its end. */
function output() {
  const logs = path.join(folder, "data/logs");
  const log = fs.readdirSync(logs, { recursive: true }).find((name) => path.basename(name) === "Bellwether.log");
  return fs.readFileSync(path.join(logs, log), "utf8");
}

/** Processes tell nobody that they start or end, so they are looked at again and again. */
async function until(look) {
  const end = Date.now() + LIMIT_MS;
  for (;;) {
    const seen = look();
    if (seen) {
      return seen;
    }
    assert.ok(Date.now() < end, `${look}: ${JSON.stringify(processesOf(folder), null, 1)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

step("the server inside the extension is found, fuzzes, and rests", async () => {
  await editor.statusSays("bellwether: quiet");
  const said = await editor.saidSoFar();
  assert.ok(said.some((text) => /^bellwether: fuzzing 2 contracts$/.test(text)), said.join(", "));
  const { executable } = await server();
  assert.equal(executable, path.join(workbench.extension(), "server/bellwether"));
  assert.equal(await editor.squiggle.count(), 0);
  await editor.colours("pragma solidity", { several: true });
  await editor.picture("1-quiet");
});

step("a defect that is typed in and saved is underlined where it fails", async () => {
  await editor.replaceEnd(vault, MENDED, BROKEN);
  await editor.squiggle.first().waitFor();
  await editor.statusTells(/1 finding/);
  await editor.picture("2-squiggle");
});

step("the hover tells the story, and nothing twice", async () => {
  await editor.page.keyboard.press("Control+B");
  await editor.page.locator("#workbench\\.parts\\.sidebar").waitFor({ state: "hidden" });
  const story = await editor.hover(/Found after/, "3-hover");
  for (const part of ["assertion can fail", "bellwetherassertion", "new Vault(", "deposit{value: ", "requestWithdrawal(", "skim() → panic 0x01", "totalQueued: 0 → ", "Found after "]) {
    assert.ok(story.includes(part), `no ${JSON.stringify(part)} in\n${story}`);
  }
  for (const part of ["assertion can fail", "new Vault(", "skim() → panic 0x01"]) {
    assert.equal(story.split(part).length, 2, `${JSON.stringify(part)} once in\n${story}`);
  }
  // The name of the oracle leads to its page.
  const page = await editor.page.locator(".monaco-hover a.code-link").first().getAttribute("href");
  assert.match(page, /\/docs\/oracles\/assertion\.md$/);
});

step("coverage stands beside the lines, and in the view for it", async () => {
  const gutter = "Bellwether: Show or Hide Coverage beside the Lines";
  await editor.command(gutter);
  await editor.gutterShows("failing.svg");
  await editor.gutterShows("reached.svg");
  await editor.picture("4-coverage");
  await editor.command("Bellwether: Show What Was Reached in the Coverage View");
  const file = editor.page.locator(".test-coverage-list-item", { hasText: "Vault.sol" }).first();
  await file.waitFor();
  await editor.picture("4-coverage-view");
  await editor.command(gutter);
  await editor.gutterShows("failing.svg", false);
  await editor.page.keyboard.press("Control+B");
});

step("the light bulb replays the calls, and shows all that happens in them", async () => {
  const line = fs.readFileSync(vault, "utf8").split("\n").findIndex((line) => line.includes("assert(")) + 1;
  await editor.goToEndOf(line);
  await editor.page.keyboard.press("Home");
  await editor.lightBulb("Replay and show trace");
  await editor.tab(`assertion in Vault.sol:${line}.txt`, ".active").waitFor();
  await editor.page.locator(".view-lines", { hasText: `decided at src/Vault.sol:${line}:` }).first().waitFor();
  await editor.picture("5-trace");
  await editor.tab("Vault.sol").click();
  await editor.squiggle.first().waitFor();
});

step("the light bulb writes a regression test and opens it", async () => {
  const line = fs.readFileSync(vault, "utf8").split("\n").findIndex((line) => line.includes("assert(")) + 1;
  await editor.goToEndOf(line);
  await editor.page.keyboard.press("Home");
  await editor.lightBulb("Generate regression test");
  const file = path.join(project, "test/Vault.bellwether.t.sol");
  const text = await written(file, (text) => text.includes("test_regression_assertion_skim"));
  assert.match(
    text,
    /contract VaultBellwetherTest \{[^]*function test_regression_assertion_skim\(\) public \{[^]*"deposit\(\)"[^]*"requestWithdrawal\(uint256\)"[^]*"skim\(\)"/,
  );
  await editor.tab("Vault.bellwether.t.sol", ".active").waitFor();
  await editor.lens("Run with forge").waitFor();
  await editor.picture("5-test");
});

step("forge runs the test in a terminal, and it fails", async () => {
  await editor.lens("Run with forge").click();
  await editor.terminalSays(/\[FAIL: assertion can fail: src\/Vault\.sol:78\] test_regression_assertion_skim[^]* 1 failing tests, 0 tests succeeded/);
  await editor.picture("5-test-red");
  await editor.hidePanel();
  await editor.tab("Vault.sol").click();
  await editor.squiggle.first().waitFor();
});

step("mended and saved, the squiggle is gone", async () => {
  await editor.replaceEnd(vault, BROKEN, MENDED);
  await editor.squiggle.first().waitFor({ state: "detached" });
  await editor.statusTells(/0 findings/);
  await editor.statusSays("bellwether: quiet");
  await editor.picture("6-mended");
  await editor.command("Bellwether: Generate Regression Tests for All Findings");
  await editor.toast.filter({ hasText: "There are no findings, so there is no test to generate." }).waitFor();
  await editor.command("Notifications: Clear All Notifications");
});

step("the test passes then", async () => {
  await editor.tab("Vault.bellwether.t.sol").click();
  await editor.lens("Run with forge").click();
  await editor.terminalSays(/\[PASS\] test_regression_assertion_skim[^]* 1 tests? passed, 0 failed/);
  await editor.picture("6-test-green");
  await editor.hidePanel();
  await editor.tab("Vault.sol").click();
});

step("a server that is killed comes back at once, and shows the finding again", async () => {
  await editor.replaceEnd(vault, MENDED, BROKEN);
  await editor.squiggle.first().waitFor();
  const { pid } = await server();
  process.kill(pid, "SIGKILL");
  await server(pid);
  await editor.statusTells(/1 finding/);
  await editor.squiggle.first().waitFor();
  assert.equal(await editor.toast.count(), 0, "no message pops up");
  await editor.picture("7-back-again");
});

step("killed again, it says why and when it comes back, and shows nothing that may be untrue", async () => {
  const { pid } = await server();
  process.kill(pid, "SIGKILL");
  const label = await editor.statusSays(/restarting in \d+ s/);
  assert.match(label, /ended by SIGKILL, 2 times in a row/);
  assert.equal(await editor.squiggle.count(), 0);
  await editor.picture("8-restarting");
  await server(pid);
  await editor.squiggle.first().waitFor();
  assert.equal(await editor.toast.count(), 0, "no message pops up");
});

step("the menu restarts it without the wait", async () => {
  const { pid } = await server();
  process.kill(pid, "SIGKILL");
  await editor.statusSays(/restarting in \d+ s/);
  await editor.menu("Start Server");
  await server(pid);
  await editor.squiggle.first().waitFor();
});

step("the menu has all that can be done now, and writes the tests of all findings", async () => {
  const test = path.join(project, "test/Vault.bellwether.t.sol");
  const said = editor.toast.filter({ hasText: "written" });
  await editor.statusTells(/1 finding/);
  await editor.menu("Generate Regression Tests for All Findings", "9-menu");
  await said.filter({ hasText: "No regression tests were written. None for a finding: test_regression_assertion_skim of test/Vault.bellwether.t.sol tests the same already." }).waitFor();
  await editor.command("Notifications: Clear All Notifications");
  await editor.tab("Vault.bellwether.t.sol").click();
  await editor.emptyFile(test);
  await editor.menu("Generate Regression Tests for All Findings");
  await said.filter({ hasText: "1 regression test was written." }).waitFor();
  await written(test, (text) => text.includes("test_regression_assertion_skim"));
  await editor.tab("Vault.bellwether.t.sol", ".active").waitFor();
  await editor.picture("9-all-tests");
  await editor.command("Notifications: Clear All Notifications");
  await editor.tab("Vault.sol").click();
});

step("clearing asks first", async () => {
  await editor.command("Bellwether: Clear Findings and Corpus");
  const dialog = editor.page.locator(".monaco-dialog-box");
  await dialog.getByText("Clear all findings and the corpus?").waitFor();
  await editor.picture("9-clear");
  await editor.page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await editor.statusTells(/1 finding/);
});

step("it can be paused and resumed", async () => {
  await editor.command("Bellwether: Pause Fuzzing");
  await editor.replaceEnd(vault, BROKEN, MENDED);
  await editor.statusSays("bellwether: paused");
  await editor.command("Bellwether: Pause Fuzzing");
  await editor.toast.filter({ hasText: "Fuzzing is paused already." }).waitFor();
  await editor.menu("Resume Fuzzing", "9-paused");
  await editor.statusSays("bellwether: quiet");
  await editor.command("Notifications: Clear All Notifications");
});

step("messages to and from the server are shown, or not, at one command", async () => {
  const traced = () => output().match(/Received notification 'bellwether\/status'/g)?.length ?? 0;
  assert.equal(traced(), 0, output());
  await editor.command("Bellwether: Show or Hide Messages to and from the Server");
  await editor.replaceEnd(vault, MENDED, `${MENDED} `);
  await until(traced);
  await editor.picture("9-trace");
  await editor.command("Bellwether: Show or Hide Messages to and from the Server");
  await editor.hidePanel();
  await editor.replaceEnd(vault, `${MENDED} `, MENDED);
  await editor.statusSays("bellwether: quiet");
});

step("stopped on purpose it stays away, until it is started", async () => {
  await editor.command("Bellwether: Stop Server");
  await editor.statusSays("bellwether: stopped");
  assert.deepEqual(serversOf(folder), []);
  await editor.picture("10-stopped");
  await editor.menu("Start Server");
  await editor.statusSays("bellwether: quiet");
  await server();
});

step("the output tells what happened", async () => {
  await editor.command("Bellwether: Show Output");
  await editor.page.locator(".output-view-container .view-line, .output-view .view-line").filter({ hasText: "bellwether" }).first().waitFor();
  const text = output();
  assert.equal(text.match(/The server ended by itself: it was ended by SIGKILL\. It is started again (at once|in \d s)\./g)?.length, 3, text);
  assert.ok(!text.includes("ended without asking the server to shut down"), text);
  await editor.picture("11-output");
});

step("the walkthrough shows each step with its picture", async () => {
  await editor.hidePanel();
  const [{ title, steps }] = manifest.contributes.walkthroughs;
  await editor.walkthrough(title);
  for (const { id, title, media } of steps) {
    await editor.walkthroughStep(title, media.image);
    if (media.markdown !== undefined) {
      await editor.heading("Install the Bellwether server").waitFor();
    }
    await editor.picture(`12-walkthrough-${id}`);
  }
});

step("with the window the server goes", async () => {
  await editor.close();
  await until(() => serversOf(folder).length === 0);
});

step("a server that cannot be found is told of, with help", async () => {
  const inside = path.join(workbench.extension(), "server/bellwether");
  fs.renameSync(inside, `${inside}.away`);
  editor = await Editor.open(browser, workbench.address(project, "src/Vault.sol"), BELLWETHER_TEST_OUTPUT);
  await editor.statusSays("bellwether: not found");
  const message = editor.toast.filter({ hasText: "There is no bellwether server inside the extension and none on PATH" });
  await message.waitFor();
  await editor.picture("12-not-found");
  await message.getByText("Open Settings").click();
  await editor.page.locator(".settings-editor .setting-item-label", { hasText: "Path" }).first().waitFor();
  await editor.picture("13-settings");

  await editor.menu("Start Server");
  await message.getByText("How to Install").click();
  await editor.tab("Preview install.md").waitFor();
  await editor.heading("Install the Bellwether server").waitFor();
  await editor.picture("14-how-to-install");
  await editor.menu("Start Server");
  await message.waitFor();
  fs.renameSync(`${inside}.away`, inside);
  await message.getByText("Try Again").click();
  await editor.statusSays("bellwether: quiet");
  await server();
});

step("colours of another extension for Solidity go before ours", async () => {
  await editor.close();
  workbench.installNeighbour();
  editor = await Editor.open(browser, workbench.address(project, "src/Vault.sol"), BELLWETHER_TEST_OUTPUT);
  await editor.statusSays("bellwether: quiet");
  await editor.colours("pragma solidity", { several: false });
  await editor.picture("15-neighbour");
});

step("nothing is left running", async () => {
  await editor.close();
  editor = undefined;
  await until(() => serversOf(folder).length === 0);
  await browser.close();
  browser = undefined;
  await workbench.stop();
  await until(() => processesOf(folder).length === 0);
  failed = false;
});
