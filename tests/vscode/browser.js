// The browser: Chromium from PATH, or else the distribution's own packages, unpacked in the cache. Nothing is installed: apt works on
// folders of ours and downloads what the system lacks, dpkg unpacks it, and neither needs to be root.

"use strict";
const fs = require("node:fs");
const path = require("node:path");
const { isExecutable, onPath, provide, run } = require("./cache");

const REMEDY = "Install Chromium and ripgrep so that `chromium` and `rg` are on PATH; on Debian that needs no installation, only apt-get and dpkg.";

/** The same fonts everywhere, so that pictures look the same. */
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">usr/share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
  <alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
  <alias><family>sans-serif</family><prefer><family>DejaVu Sans</family></prefer></alias>
</fontconfig>
`;

/** What it takes to start Chromium, and ripgrep, which the workbench searches with. */
function browser() {
  const chromium = onPath("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");
  const ripgrep = onPath("rg");
  if (chromium !== undefined && ripgrep !== undefined) {
    return { chromium, ripgrep, env: {} };
  }
  const root = unpacked();
  const env = environment(root);
  return {
    chromium: chromium ?? path.join(root, "usr/lib/chromium/chromium"),
    ripgrep: ripgrep ?? path.join(root, "usr/bin/rg"),
    env: chromium === undefined ? env : {},
  };
}

/** The packages, unpacked. What the system had when they were fetched is not among them, so that they are fetched anew where it is gone. */
function unpacked() {
  const root = provide("chromium", fetch);
  if (works(root)) {
    return root;
  }
  fs.rmSync(root, { recursive: true, force: true });
  return provide("chromium", fetch);
}

function works(root) {
  const chromium = path.join(root, "usr/lib/chromium/chromium");
  try {
    run(chromium, ["--version"], { cwd: root, env: environment(root), remedy: "" });
    return isExecutable(path.join(root, "usr/bin/rg"));
  } catch {
    return false;
  }
}

function fetch(root) {
  const apt = path.join(root, "apt");
  for (const folder of ["lists/partial", "archives/partial"]) {
    fs.mkdirSync(path.join(apt, folder), { recursive: true });
  }
  const options = {
    "Dir::State::lists": path.join(apt, "lists"),
    "Dir::State::extended_states": path.join(apt, "extended_states"),
    "Dir::Cache::archives": path.join(apt, "archives"),
    "Dir::Cache::pkgcache": "",
    "Dir::Cache::srcpkgcache": "",
    "Dir::Log": apt,
    "Debug::NoLocking": "true",
    // Root's folders are not open to the user that apt else becomes for a download.
    "APT::Sandbox::User": "root",
  };
  const flags = Object.entries(options).flatMap(([key, value]) => ["-o", `${key}=${value}`]);
  const fonts = ["fonts-dejavu-core", "fonts-liberation"];
  run("apt-get", [...flags, "update", "-qq"], { cwd: root, remedy: REMEDY });
  run("apt-get", [...flags, "install", "-y", "-qq", "--reinstall", "--no-install-recommends", "--download-only", "chromium", "ripgrep", ...fonts], {
    cwd: root,
    remedy: REMEDY,
  });
  for (const name of fs.readdirSync(path.join(apt, "archives")).filter((name) => name.endsWith(".deb"))) {
    run("dpkg", ["-x", path.join(apt, "archives", name), root], { cwd: root, remedy: REMEDY });
  }
  fs.rmSync(apt, { recursive: true });
  fs.writeFileSync(path.join(root, "fonts.conf"), FONTS);
}

/** Libraries and fonts are where the packages were unpacked, not where they would be installed. */
function environment(root) {
  const architecture = fs.readdirSync(path.join(root, "usr/lib")).find((name) => name.endsWith("-linux-gnu"));
  const libraries = path.join(root, "usr/lib", architecture);
  return {
    LD_LIBRARY_PATH: [libraries, path.join(libraries, "pulseaudio"), process.env.LD_LIBRARY_PATH].filter(Boolean).join(":"),
    FONTCONFIG_FILE: path.join(root, "fonts.conf"),
  };
}

module.exports = { browser };
