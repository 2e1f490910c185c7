// The links of all pages: each leads to a file that is there, and to a heading that it has; and the book lists each page once.

"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { test } = require("node:test");

const ROOT = path.join(__dirname, "..");
const LINK = /\]\(([^)\s]+)\)/g;

function pagesIn(folder) {
  const entries = fs.readdirSync(path.join(ROOT, folder), { withFileTypes: true });
  return entries.flatMap((entry) => {
    const name = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) {
      return entry.name === "node_modules" ? [] : pagesIn(name);
    }
    return name.endsWith(".md") ? [name] : [];
  });
}

/** Without what stands in code, where brackets are no links and `#` is no heading. */
function prose(page) {
  return read(page).replace(/^( *)```[^]*?^\1```/gm, "");
}

function read(page) {
  return fs.readFileSync(path.join(ROOT, page), "utf8");
}

/** The anchors of a page's headings, as GitHub and mdBook make them. */
function anchors(page) {
  const headings = [...prose(page).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading);
  return new Set(headings.map((heading) => heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-")));
}

const top = fs.readdirSync(ROOT).filter((name) => name.endsWith(".md"));
const pages = [...top, ...["docs", "editors", "vscode-extension", "fixtures"].flatMap(pagesIn)];

for (const page of pages) {
  test(`links of ${page}`, () => {
    for (const [, link] of prose(page).replace(/`[^`\n]*`/g, "").matchAll(LINK)) {
      if (/^[a-z]+:/.test(link)) {
        continue;
      }
      const [file, anchor] = link.split("#");
      const target = file === "" ? page : path.posix.join(path.posix.dirname(page), file);
      assert.ok(fs.existsSync(path.join(ROOT, target)), `${link}: there is no ${target}`);
      if (anchor !== undefined) {
        assert.ok(anchors(target).has(anchor), `${link}: ${target} has no such heading`);
      }
    }
  });
}

test("the book lists each page once", () => {
  const listed = [...read("docs/SUMMARY.md").matchAll(LINK)].map(([, link]) => `docs/${link}`);
  const there = pages.filter((page) => page.startsWith("docs/") && page !== "docs/SUMMARY.md");
  assert.deepEqual(listed.sort(), there.sort());
});
