// The report of a program that studies a model of its own: says what the JSON says.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { after, test } from "node:test";
import { artel as program, assertNoSidewaysScroll, cells, launch, open, temporaryFolder } from "./browser.mjs";

const browser = await launch();
after(() => browser.close());
const folder = temporaryFolder();

function study(which, ...options) {
  const page = join(folder, `${which}.html`);
  const { stdout, stderr, status } = spawnSync(program, [which, "--replications", "2", "--json", "--report", page, ...options], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  return { json: JSON.parse(stdout), page };
}
const tiers = study("tiers", "--sweep", "load=0.2,0.4");
const server = study("server", "--sweep", "load=0.5", "--set", "customers=500");

for (const { page: file } of [tiers, server]) {
  for (const width of [1200, 390]) {
    test(`opens without a complaint: ${file.split("/").at(-1)}, ${width} px`, async () => {
      const { page, problems, close } = await open(browser, file, { width });
      await assertNoSidewaysScroll(page);
      assert.deepEqual(problems, []);
      await close();
    });
  }
}

test("what is swept has a chart of every figure that is shown, and its numbers", async () => {
  const { page, close } = await open(browser, tiers.page);
  assert.deepEqual(await page.locator("#sweep select option").allInnerTexts(), tiers.json.shown);
  const expected = tiers.json.points[0].variants.map(({ variant }, i) =>
    [variant, ...tiers.json.points.map(({ variants }) => variants[i].figures[tiers.json.shown[0]].value)]);
  assert.deepEqual(await cells(page, "sweep"), expected);
  await close();
});

test("every figure of every variant is in the table, and its difference from the first", async () => {
  const { page, close } = await open(browser, tiers.page);
  const { variants } = tiers.json.points.at(-1);
  const row = (await cells(page, "figures")).find(([name]) => name === "answered after");
  assert.deepEqual(row, ["answered after", ...variants.map(({ figures }) => figures["answered after"].value),
    ...variants.slice(1).map(({ figures }) => figures["answered after"].less_first.value)]);
  await close();
});

test("one point has no chart of a sweep, but the distribution of its times", async () => {
  const { page, close } = await open(browser, server.page);
  assert.equal(await page.locator("#sweep").count(), 0);
  assert.equal(await page.locator("#distribution svg").count() > 0, true);
  await close();
});
