// A headless Chromium for the tests, and reports to open in it. Without Chromium the test ends as skipped (77).
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { accessSync, constants, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";

export const artel = process.argv[2];

function findChromium() {
  const names = ["chromium", "chromium-browser", "google-chrome", "chrome"];
  const paths = (process.env.PATH ?? "").split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  return [process.env.CHROMIUM, ...paths].find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

export async function launch() {
  const executablePath = findChromium();
  if (!executablePath) {
    console.log("skipped: no Chromium (Debian: apt-get install chromium; or set CHROMIUM to its path)");
    process.exit(77);
  }
  const { chromium } = await import("playwright-core");
  return chromium.launch({ executablePath });
}

// A folder that is gone when the process ends.
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), "artel-web-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

// Runs `artel COMMAND` on a scenario: {json: what --json prints, page: path of the report}.
export function run(command, folder, name, toml, more = [], type = "toml") {
  const scenario = join(folder, `${name}.${type}`);
  const page = join(folder, `${name}.html`);
  writeFileSync(scenario, toml);
  const { stdout, stderr, status } = spawnSync(artel, [command, scenario, "--json", "--report", page, ...more], { encoding: "utf8", maxBuffer: 1 << 28 });
  return { json: JSON.parse(stdout || "null"), page, status, stderr };
}

// Writes the page again with other data: `change` gets the report and may change it. The path of the new page.
export function withReport(page, changed, change) {
  const [before, text, after] = readFileSync(page, "utf8").split(/(?<=id="report">)(.*?)(?=<\/script>)/s);
  const report = JSON.parse(text);
  change(report);
  writeFileSync(changed, before + JSON.stringify(report).replaceAll("<", "\\u003c") + after);
  return changed;
}

// Opens a report; `problems` collects whatever the browser complains about, and every try to load something.
export async function open(browser, path, { theme = "light", width = 1200, charts = true } = {}) {
  const context = await browser.newContext({ colorScheme: theme, viewport: { width, height: 900 }, offline: true });
  const page = await context.newPage();
  const problems = [];
  const self = pathToFileURL(path).href;
  page.on("console", (message) => message.type() === "log" || problems.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => { problems.push("a dialog"); void dialog.dismiss(); });
  page.on("request", (request) => request.url() === self || request.url().startsWith("data:") || problems.push(`request: ${request.url()}`));
  await page.goto(self);
  await page.waitForSelector("footer");
  if (charts) await page.waitForFunction(() => [...document.querySelectorAll("section figure")].every((figure) => figure.querySelector("svg")));
  return { page, problems, close: () => context.close() };
}

export async function assertNoSidewaysScroll(page) {
  const { content, view } = await page.evaluate(() => ({ content: document.documentElement.scrollWidth, view: innerWidth }));
  assert.ok(content <= view, `the page is ${content} px wide on a screen of ${view} px`);
}

// Words of a chart that stand on each other: "median | mean".
export async function overlappingLabels(page) {
  return page.$$eval(".chart > svg", (charts) => charts.flatMap((chart) => {
    const labels = [...chart.querySelectorAll("text")].filter((text) => text.textContent.trim() !== "" && text.children.length === 0)
      .map((text) => ({ text: text.textContent, box: text.getBoundingClientRect() }));
    return labels.flatMap((a, i) => labels.slice(i + 1)
      .filter((b) => Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left) > 1 && Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top) > 4)
      .map((b) => `${chart.getAttribute("aria-label")}: ${a.text} | ${b.text}`));
  }));
}

// What every page keeps at every width, in both themes: nothing to complain about, to scroll to the side, or on something else.
export const views = [390, 1400].flatMap((width) => ["light", "dark"].map((theme) => ({ width, theme })));

export async function assertSound(browser, path, view, options = {}) {
  const opened = await open(browser, path, { ...view, ...options });
  await assertNoSidewaysScroll(opened.page);
  assert.deepEqual(await overlappingLabels(opened.page), []);
  assert.deepEqual(opened.problems, []);
  return opened;
}

// A table as rows of exact numbers; a cell without one as its text.
export function cells(page, section) {
  return page.$$eval(`#${section} table.cells tbody tr`, (rows) =>
    rows.map((row) => [...row.children].map((cell) => (cell.dataset.value === undefined ? cell.textContent : Number(cell.dataset.value)))));
}
