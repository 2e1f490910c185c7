// The workbench: code-server's VS Code on a free port, with folders of its own for everything it writes, and our extension installed from
// its .vsix. It runs VS Code's server directly, without code-server's own login page in front.

"use strict";
const { spawn } = require("node:child_process");
const { createHash } = require("node:crypto");
const fs = require("node:fs");
const path = require("node:path");
const { createInterface } = require("node:readline");
const { provide, run } = require("./cache");
const { VARIABLE } = require("./processes");

const CODE_SERVER = "4.100.3";
const PLAYWRIGHT = "1.65.1";

const QUIET = ["--no-audit", "--no-fund", "--loglevel=error"];
const EXTENSION = path.join(__dirname, "../../vscode-extension");

/** What a user would not want to see on a picture is off, and one worker with one seed always does the same. */
function settings(cache) {
  return {
    "workbench.colorTheme": "Default Light Modern",
    "workbench.startupEditor": "none",
    "workbench.tips.enabled": false,
    "workbench.sideBar.location": "left",
    "workbench.layoutControl.enabled": false,
    "window.commandCenter": false,
    "security.workspace.trust.enabled": false,
    "telemetry.telemetryLevel": "off",
    "update.mode": "none",
    "extensions.ignoreRecommendations": true,
    "editor.minimap.enabled": false,
    "editor.fontSize": 13,
    "editor.hover.above": false,
    "editor.hover.delay": 0,
    "editor.occurrencesHighlight": "off",
    "editor.stickyScroll.enabled": false,
    "editor.quickSuggestions": { other: "off", comments: "off", strings: "off" },
    "editor.wordBasedSuggestions": "off",
    // What a terminal says is text of the page only where no canvas draws it.
    "terminal.integrated.gpuAcceleration": "off",
    "bellwether.cache": cache,
    "bellwether.workers": 1,
    "bellwether.seed": 1,
  };
}

/** code-server, and playwright-core to drive a browser with. */
function tools(ripgrep) {
  const folder = provide(`vscode-${CODE_SERVER}-${PLAYWRIGHT}-terminals`, (staging) => {
    const remedy = "npm must be able to fetch packages, and node-gyp needs a C++ compiler, make and Python 3.";
    fs.writeFileSync(path.join(staging, "package.json"), '{"private":true}');
    const packages = [`code-server@${CODE_SERVER}`, `playwright-core@${PLAYWRIGHT}`];
    run("npm", ["install", "--ignore-scripts", ...QUIET, ...packages], { cwd: staging, remedy });
    const server = serverFolder(staging);
    run("npm", ["install", "--omit=dev", "--ignore-scripts", ...QUIET], { cwd: server, remedy });
    // Logs, and with them output channels, are written by a native module; another ends the extension host with its parent.
    run("npm", ["rebuild", "--foreground-scripts", ...QUIET, "@vscode/spdlog", "native-watchdog"], { cwd: server, remedy });
    // A third opens terminals. It is built without its own scripts, which fetch another node-gyp than npm's to describe the build for clangd.
    run("npm", ["explore", ...QUIET, "node-pty", "--", "node-gyp", "rebuild"], { cwd: server, remedy });
  });
  const link = path.join(serverFolder(folder), "node_modules/@vscode/ripgrep/bin/rg");
  fs.mkdirSync(path.dirname(link), { recursive: true });
  fs.rmSync(link, { force: true });
  fs.symlinkSync(ripgrep, link);
  return { server: serverFolder(folder), modules: path.join(folder, "node_modules") };
}

function serverFolder(folder) {
  return path.join(folder, "node_modules/code-server/lib/vscode");
}

/** The extension with this server inside, made by its own script from a copy, so that nothing is written into the clone. The copy has vsce. */
function packageExtension(folder, server) {
  const lock = fs.readFileSync(path.join(EXTENSION, "package-lock.json"));
  const dependencies = provide(`vscode-extension-${createHash("sha256").update(lock).digest("hex").slice(0, 12)}`, (staging) => {
    for (const name of ["package.json", "package-lock.json"]) {
      fs.copyFileSync(path.join(EXTENSION, name), path.join(staging, name));
    }
    run("npm", ["ci", ...QUIET], { cwd: staging, remedy: "npm must be able to fetch packages." });
  });
  const copy = path.join(folder, "vscode-extension");
  const left = new Set(["node_modules", "dist", "server"].map((name) => path.join(EXTENSION, name)));
  fs.cpSync(EXTENSION, copy, { recursive: true, filter: (file) => !left.has(file) && !file.endsWith(".vsix") });
  fs.symlinkSync(path.join(dependencies, "node_modules"), path.join(copy, "node_modules"));
  run("npm", ["run", "package", "--", server], { cwd: copy, remedy: "`npm run package` must work in vscode-extension." });
  const packages = fs.readdirSync(copy).filter((name) => name.endsWith(".vsix"));
  if (packages.length !== 1) {
    throw new Error(`npm run package made ${packages.length} packages: ${packages.join(", ")}`);
  }
  return { vsix: path.join(copy, packages[0]), vsce: path.join(copy, "node_modules/@vscode/vsce/vsce") };
}

/** Another extension for Solidity. All that it brings is a grammar in which a line is one comment. */
function packageNeighbour(folder, vsce) {
  fs.mkdirSync(folder);
  const manifest = {
    name: "solidity",
    publisher: "neighbour",
    version: "1.0.0",
    engines: { vscode: "*" },
    contributes: {
      languages: [{ id: "solidity", extensions: [".sol"] }],
      grammars: [{ language: "solidity", scopeName: "source.solidity", path: "./solidity.json" }],
    },
  };
  const grammar = { scopeName: "source.solidity", patterns: [{ match: ".+", name: "comment.line" }] };
  fs.writeFileSync(path.join(folder, "package.json"), JSON.stringify(manifest));
  fs.writeFileSync(path.join(folder, "solidity.json"), JSON.stringify(grammar));
  const options = ["--no-dependencies", "--allow-missing-repository", "--skip-license", "--out", "neighbour.vsix"];
  run(process.execPath, [vsce, "package", ...options], { cwd: folder, remedy: "vsce must be able to package an extension." });
  return path.join(folder, "neighbour.vsix");
}

class Workbench {
  /** Starts it in a folder of its own. `compilers` is the cache's folder of them; `forge`, which compiles with `solc`, is where Foundry's installer puts it. */
  static async start({ folder, ripgrep, server, compilers, forge, solc }) {
    const { server: code, modules } = tools(ripgrep);
    const data = path.join(folder, "data");
    const extensions = path.join(folder, "extensions");
    const cache = path.join(folder, "cache");
    const home = path.join(folder, "home");
    const foundry = path.join(home, ".foundry/bin");
    for (const made of [path.join(data, "User"), path.join(data, "logs"), extensions, cache, foundry]) {
      fs.mkdirSync(made, { recursive: true });
    }
    fs.symlinkSync(forge, path.join(foundry, "forge"));
    fs.symlinkSync(compilers, path.join(cache, "solc"));
    fs.writeFileSync(path.join(data, "User/settings.json"), JSON.stringify(settings(cache), null, 2));

    const env = {
      ...process.env,
      HOME: home,
      XDG_CONFIG_HOME: path.join(home, "config"),
      XDG_DATA_HOME: path.join(home, "data"),
      XDG_CACHE_HOME: path.join(home, "cache"),
      TMPDIR: folder,
      // No bellwether but the one inside the extension.
      PATH: (process.env.PATH ?? "").split(path.delimiter).filter((on) => !fs.existsSync(path.join(on, "bellwether"))).join(path.delimiter),
      FOUNDRY_SOLC: solc,
      FOUNDRY_OFFLINE: "true",
      [VARIABLE]: folder,
    };
    const main = path.join(code, "out/server-main.js");
    const folders = ["--user-data-dir", data, "--extensions-dir", extensions, "--server-data-dir", data];
    const { vsix, vsce } = packageExtension(folder, server);
    const install = (file) => {
      const remedy = "The .vsix must be one that VS Code accepts.";
      run(process.execPath, [main, ...folders, "--install-extension", file], { cwd: folder, env, remedy });
    };
    install(vsix);

    const flags = ["--host", "127.0.0.1", "--port", "0", "--without-connection-token", "--accept-server-license-terms", "--telemetry-level", "off"];
    const child = spawn(process.execPath, [main, ...flags, ...folders], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
    const log = fs.createWriteStream(path.join(folder, "workbench.log"));
    child.stderr.pipe(log);
    const port = await new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (code) => reject(new Error(`the workbench exited with ${code}; its log: ${log.path}`)));
      createInterface({ input: child.stdout }).on("line", (line) => {
        log.write(`${line}\n`);
        const listening = /Extension host agent listening on (\d+)/.exec(line);
        if (listening) {
          resolve(Number(listening[1]));
        }
      });
    });
    const installNeighbour = () => install(packageNeighbour(path.join(folder, "neighbour"), vsce));
    return new Workbench({ child, port, extensions, modules, installNeighbour });
  }

  constructor({ child, port, extensions, modules, installNeighbour }) {
    this.child = child;
    this.port = port;
    this.extensions = extensions;
    this.modules = modules;
    /** Installs another extension for Solidity, for windows that are opened from then on. */
    this.installNeighbour = installNeighbour;
  }

  /** The address of a folder with one of its files open. */
  address(folder, file) {
    const host = `127.0.0.1:${this.port}`;
    const payload = JSON.stringify([["openFile", `vscode-remote://${host}${path.join(folder, file)}`]]);
    return `http://${host}/?folder=${encodeURIComponent(folder)}&payload=${encodeURIComponent(payload)}`;
  }

  /** Where our extension was installed. */
  extension() {
    const name = fs.readdirSync(this.extensions).find((name) => name.startsWith("bellwether.bellwether-"));
    return path.join(this.extensions, name);
  }

  async stop() {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const gone = new Promise((resolve) => this.child.once("exit", resolve));
      this.child.kill("SIGTERM");
      await gone;
    }
  }
}

module.exports = { Workbench };
