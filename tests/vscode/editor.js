// The editor: what a person does in the workbench's window with keyboard and mouse, and what they see there. Every wait is for something to
// appear, to go, or to be written; the limit is only how long a broken run may take.

"use strict";
const fs = require("node:fs");
const path = require("node:path");

/** Long enough for the slowest machine; reaching it is a failure. */
const LIMIT_MS = 180_000;
/** How long one of several tries waits for what a key or a click opens. */
const TRY_MS = 10_000;
const TRIES = 18;

class Editor {
  /** Opens a window on `address`; pictures go to `pictures`. */
  static async open(browser, address, pictures) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, deviceScaleFactor: 1.5 });
    context.setDefaultTimeout(LIMIT_MS);
    await context.addInitScript(recordStatus);
    const page = await context.newPage();
    await page.goto(address);
    const editor = new Editor(context, page, pictures);
    await page.locator(".monaco-editor .view-line").first().waitFor();
    return editor;
  }

  constructor(context, page, pictures) {
    this.context = context;
    this.page = page;
    this.pictures = pictures;
    this.status = page.locator('.statusbar-item[id="bellwether.bellwether.bellwether.status"]');
    this.squiggle = page.locator(".editor-instance .squiggly-error");
    this.toast = page.locator(".notification-toast");
  }

  async close() {
    await this.page.close({ runBeforeUnload: true });
    await this.context.close();
  }

  async picture(name) {
    await this.page.screenshot({ path: path.join(this.pictures, `${name}.png`), animations: "disabled" });
  }

  /** Waits until the status item says this, and gives back what it says to somebody who points at it. */
  async statusSays(text) {
    await this.status.getByText(text).waitFor();
    return this.status.locator("a").first().getAttribute("aria-label");
  }

  /** Waits until the item's label, which holds the tooltip too, is like this. */
  async statusTells(pattern) {
    const label = this.status.locator("a").first();
    await this.page.waitForFunction(
      ([element, source]) => new RegExp(source).test(element.getAttribute("aria-label") ?? ""),
      [await label.elementHandle(), pattern.source],
    );
  }

  /** Everything that the status item has said so far. */
  saidSoFar() {
    return this.page.evaluate(() => window.saidByBellwether);
  }

  /** Waits until a picture stands in the gutter, or none any more. */
  async gutterShows(file, is = true) {
    await this.page.waitForFunction(
      ([name, wanted]) => {
        const marks = [...document.querySelectorAll(".editor-instance .cgmr")];
        return marks.some((mark) => getComputedStyle(mark).backgroundImage.includes(name)) === wanted;
      },
      [file, is],
    );
  }

  /** Waits until the first line that begins with `text` is drawn in one colour, or in several. */
  async colours(text, { several }) {
    await this.page.waitForFunction(
      ([start, wanted]) => {
        const lines = [...document.querySelectorAll(".editor-instance .view-line")];
        const line = lines.find((line) => line.textContent.replaceAll("\u00a0", " ").startsWith(start));
        const colours = new Set([...(line?.querySelectorAll("[class*=mtk]") ?? [])].map((part) => getComputedStyle(part).color));
        return line !== undefined && colours.size > 1 === wanted;
      },
      [text, several],
    );
  }

  /** The first lens with this title. */
  lens(title) {
    return this.page.locator(".editor-instance .codelens-decoration a", { hasText: title }).first();
  }

  /** Waits until what the open terminal shows is like this. */
  async terminalSays(pattern) {
    await this.page.waitForFunction(
      (source) => {
        const rows = [...document.querySelectorAll(".terminal-wrapper.active .xterm-rows > div")];
        return new RegExp(source).test(rows.map((row) => row.textContent.replaceAll("\u00a0", " ")).join("\n"));
      },
      pattern.source,
    );
  }

  /** Hides the panel that terminals and output are in. */
  async hidePanel() {
    await this.page.keyboard.press("Control+J");
    await this.page.locator("#workbench\\.parts\\.panel").waitFor({ state: "hidden" });
  }

  /** The tab of a file. */
  tab(name, state = "") {
    return this.page.locator(`.tabs-container .tab${state}`, { hasText: new RegExp(`^\\s*${name.replaceAll(".", "\\.")}`) });
  }

  /**
   * Opens something and chooses in it, and begins again where that is closed in the middle: what comes from the server meanwhile may take the
   * focus away. Nothing is done by `choose` that cannot be done twice.
   */
  async insist(choose) {
    for (let attempt = 1; ; attempt++) {
      try {
        return await choose({ timeout: TRY_MS });
      } catch (error) {
        if (attempt === TRIES) throw error;
        await this.page.keyboard.press("Escape");
      }
    }
  }

  /** The rows of the open list of choices that have this text. */
  choice(text) {
    return this.page.locator(".quick-input-list .monaco-list-row").filter({ hasText: text }).first();
  }

  /** Opens the input at the top of the window by a key, and writes this into it. */
  async ask(key, text, limit) {
    await this.page.keyboard.press(key);
    await this.page.locator(".quick-input-widget .quick-input-box input").fill(text, limit);
  }

  /** Waits until no list of choices is open. */
  async hasChosen() {
    await this.page.locator(".quick-input-widget").waitFor({ state: "hidden" });
  }

  /** Runs a command of the palette by its title. */
  async command(title) {
    await this.insist(async (limit) => {
      await this.ask("F1", `>${title}`, limit);
      await this.choice(title).click(limit);
    });
    await this.hasChosen();
  }

  /** Opens a walkthrough by its title. */
  async walkthrough(title) {
    await this.insist(async (limit) => {
      await this.ask("F1", ">Welcome: Open Walkthrough...", limit);
      await this.choice("Open Walkthrough...").click(limit);
      await this.choice(title).click(limit);
    });
    await this.hasChosen();
    await this.page.locator(".gettingStartedContainer h2.category-title", { hasText: title }).waitFor();
  }

  /** The heading of the Markdown page that is shown. */
  heading(text) {
    return this.page.frameLocator("iframe.webview").frameLocator("iframe").getByRole("heading", { name: text });
  }

  /** Opens a step of the walkthrough that is shown, and waits until its picture is there, if it has one. */
  async walkthroughStep(title, media) {
    await this.page.locator(".gettingStartedContainer .getting-started-step", { hasText: title }).click();
    await this.page.locator(".gettingStartedContainer .getting-started-step.expanded", { hasText: title }).waitFor();
    if (media === undefined) {
      return;
    }
    await this.page.waitForFunction(
      (name) => {
        const image = document.querySelector(".gettingStartedContainer .getting-started-media img");
        return image?.currentSrc.includes(name) === true && image.complete && image.naturalWidth > 0;
      },
      path.basename(media),
    );
  }

  /** Opens the menu at the status item, and takes the entry with this title. */
  async menu(title, picture) {
    await this.insist(async (limit) => {
      await this.status.click(limit);
      await this.choice(title).waitFor(limit);
      if (picture !== undefined) {
        await this.picture(picture);
      }
      await this.choice(title).click(limit);
    });
    await this.hasChosen();
  }

  /** Puts the cursor at the end of a line, which counts from 1. */
  async goToEndOf(line) {
    const { page } = this;
    await this.insist(async (limit) => {
      await page.keyboard.press("Control+1");
      await this.ask("Control+G", `:${line}`, limit);
    });
    await page.keyboard.press("Enter");
    await this.hasChosen();
    await page.keyboard.press("End");
  }

  /** Replaces the end of a line by keyboard, saves, and waits until the file has it. */
  async replaceEnd(file, from, to) {
    const text = fs.readFileSync(file, "utf8");
    const line = text.split("\n").findIndex((line) => line.endsWith(from)) + 1;
    await this.goToEndOf(line);
    for (const _ of from) {
      await this.page.keyboard.press("Backspace");
    }
    await this.page.keyboard.type(to);
    await this.page.keyboard.press("Control+S");
    await written(file, (now) => now === text.replace(`${from}\n`, `${to}\n`));
  }

  /** Deletes all of the file that is open, and saves it. */
  async emptyFile(file) {
    await this.page.keyboard.press("Control+1");
    await this.page.keyboard.press("Control+A");
    await this.page.keyboard.press("Delete");
    await this.page.keyboard.press("Control+S");
    await written(file, (text) => text === "");
  }

  /** Points at the squiggle until the hover is open down to its `last` words, takes a picture, and gives back its text. */
  async hover(last, picture) {
    const { page } = this;
    await page.keyboard.press("Escape");
    // High up in the window there is room for all of it below.
    for (let line = 0; line < 12; line++) {
      await page.keyboard.press("Control+ArrowDown");
    }
    await page.waitForFunction(() => document.querySelector(".editor-instance .squiggly-error")?.getBoundingClientRect().y < 250);
    const hover = this.page.locator(".monaco-editor .monaco-hover:not(.hidden)");
    // A finding that is told again, since it was shrunk meanwhile, closes the hover; nothing opens it but the pointer.
    for (let attempt = 1; ; attempt++) {
      const box = await this.squiggle.first().boundingBox();
      await page.mouse.move(box.x + box.width / 3, box.y + box.height / 2);
      try {
        await hover.getByText(last).waitFor({ timeout: 10_000 });
        const text = await hover.innerText({ timeout: 1_000 });
        await this.picture(picture);
        await hover.getByText(last).waitFor({ timeout: 1_000 });
        return text.replaceAll("\u00a0", " ");
      } catch (error) {
        if (attempt === 18) throw error;
        await page.mouse.move(box.x + box.width / 3, box.y + 300);
      }
    }
  }

  /** Clicks the light bulb, and takes the action with this title. */
  async lightBulb(title) {
    const { page } = this;
    const bulb = page.locator(".editor-instance [class*='codicon-gutter-lightbulb']:visible, .editor-instance .lightBulbWidget:visible").first();
    const rows = page.locator(".action-widget .monaco-list-row.action");
    const action = rows.filter({ hasText: title });
    const focused = action.and(page.locator(".focused"));
    // A key is pressed when the one before has moved the focus: two at once would go past the action.
    const isFocused = () => focused.waitFor({ timeout: 1_000 }).then(() => true, () => false);
    await this.insist(async (limit) => {
      await bulb.click(limit);
      await action.waitFor(limit);
      for (let moves = await rows.count(); moves > 0 && !(await isFocused()); moves--) {
        await page.keyboard.press("ArrowDown");
      }
      await this.picture("4-light-bulb");
      await focused.waitFor({ timeout: 1_000 });
    });
    await page.keyboard.press("Enter");
    await action.waitFor({ state: "detached" });
  }
}

/** Waits until a file is there with a text that is right, and gives the text back. */
async function written(file, isRight) {
  // Its folder may not be there yet: then the nearest one that is, is watched.
  let folder = path.dirname(file);
  while (!fs.existsSync(folder)) {
    folder = path.dirname(folder);
  }
  const read = () => (fs.existsSync(file) ? fs.readFileSync(file, "utf8") : undefined);
  return new Promise((resolve, reject) => {
    const finish = (settle, value) => {
      clearTimeout(limit);
      watcher.close();
      settle(value);
    };
    const look = () => {
      const text = read();
      if (text !== undefined && isRight(text)) {
        finish(resolve, text);
      }
    };
    const limit = setTimeout(() => finish(reject, new Error(`${file} is not what was awaited:\n${read()}`)), LIMIT_MS);
    const watcher = fs.watch(folder, { recursive: true }, look);
    look();
  });
}

/** Runs in the window: keeps all that the status item says, since a state may be over before anybody looks. */
function recordStatus() {
  window.saidByBellwether = [];
  const look = () => {
    const text = document.querySelector('.statusbar-item[id="bellwether.bellwether.bellwether.status"]')?.textContent?.trim();
    if (text && text !== window.saidByBellwether.at(-1)) {
      window.saidByBellwether.push(text);
    }
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
}

module.exports = { Editor, LIMIT_MS, written };
