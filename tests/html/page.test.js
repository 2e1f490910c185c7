// The page of `--html` in a real Chromium, on a phone and on a desk, in light and dark: it asks for nothing, runs nothing, fits the
// screen, and its text can be read. A picture of each is left in the folder of BELLWETHER_TEST_OUTPUT.

"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { after, before, test } = require("node:test");
const { pathToFileURL } = require("node:url");
const { browser: chromium } = require("../vscode/browser");
const { provide, run } = require("../vscode/cache");

const PLAYWRIGHT = "1.65.1";
const PAGE = pathToFileURL(process.env.BELLWETHER_PAGE).href;
const OUTPUT = process.env.BELLWETHER_TEST_OUTPUT;
const SCREENS = [
  { name: "phone", viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  { name: "desk", viewport: { width: 1280, height: 900 } },
];

let browser;

before(async () => {
  const modules = provide(`playwright-${PLAYWRIGHT}`, (staging) => {
    fs.writeFileSync(path.join(staging, "package.json"), '{"private":true}');
    run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", `playwright-core@${PLAYWRIGHT}`], {
      cwd: staging,
      remedy: "npm must be able to fetch packages.",
    });
  });
  const playwright = require(path.join(modules, "node_modules/playwright-core"));
  const { chromium: executablePath, env } = chromium();
  browser = await playwright.chromium.launch({ executablePath, args: ["--no-sandbox"], env: { ...process.env, ...env } });
  fs.mkdirSync(OUTPUT, { recursive: true });
});

after(() => browser?.close());

for (const { name, ...screen } of SCREENS) {
  for (const colorScheme of ["light", "dark"]) {
    test(`on a ${name}, ${colorScheme}`, async () => {
      const context = await browser.newContext({ ...screen, colorScheme });
      const page = await context.newPage();
      const asked = [];
      const said = [];
      page.on("request", (request) => asked.push(request.url()));
      page.on("console", (message) => said.push(message.text()));
      page.on("pageerror", (error) => said.push(error.message));
      await page.goto(PAGE);
      assert.deepEqual(asked, [PAGE], "it asks for nothing else");

      await page.screenshot({ path: path.join(OUTPUT, `${name}-${colorScheme}.png`), fullPage: true });
      for (const summary of await page.locator("details:not([open]) > summary").all()) {
        if (await summary.isVisible()) {
          await summary.click();
        }
      }
      await page.screenshot({ path: path.join(OUTPUT, `${name}-${colorScheme}-open.png`), fullPage: true });

      const seen = await page.evaluate(look);
      assert.equal(seen.hostile, undefined, "nothing of the source was run");
      assert.ok(seen.width <= screen.viewport.width, `${seen.width} columns of pixels on a screen of ${screen.viewport.width}`);
      assert.deepEqual(seen.faint, [], "all text can be read");
      assert.deepEqual(said, [], "the browser has nothing to complain of");
      await context.close();
    });
  }
}

/** What is on the page, seen from inside: its width, and text whose contrast with what is behind it is under 4.5. */
function look() {
  const numbers = (color) => (color.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = ([red, green, blue]) => {
    const part = (value) => (value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue);
  };
  const behind = (element) => {
    for (let at = element; at !== null; at = at.parentElement) {
      const color = numbers(getComputedStyle(at).backgroundColor);
      if (color.length === 3 || color[3] > 0) {
        return color;
      }
    }
    return [255, 255, 255];
  };
  const faint = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (walker.currentNode.data.trim() === "" || !element.checkVisibility()) {
      continue;
    }
    const [one, other] = [numbers(getComputedStyle(element).color), behind(element)].map(luminance);
    const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    if (contrast < 4.5) {
      faint.add(`${element.tagName}.${element.className} ${contrast.toFixed(2)}: ${walker.currentNode.data.trim().slice(0, 40)}`);
    }
  }
  return { hostile: window.hostile, width: document.documentElement.scrollWidth, faint: [...faint] };
}
