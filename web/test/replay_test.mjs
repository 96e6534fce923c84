// The report of `artel replay`: predicted beside measured, as in the JSON.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { artel, assertSound, cells, launch, open, temporaryFolder, views } from "./browser.mjs";

const browser = await launch();
after(() => browser.close());
const file = join(temporaryFolder(), "replay.html");
const recorded = "tests/fuzz/corpus/task_trace/pool";
const json = JSON.parse(execFileSync(artel, ["replay", recorded, "--json", "--report", file], { encoding: "utf8" }));

for (const view of views) {
  test(`opens without a complaint, and no label covers another: ${view.theme}, ${view.width} px`, async () => {
    const { page, close } = await assertSound(browser, file, view);
    assert.deepEqual(await page.$$eval("section", (sections) => sections.map(({ id }) => id)),
      ["predicted", "distribution", "over-time", "utilisation", "workers", "timeline"]);
    await close();
  });
}

test("its numbers are those of the JSON", async () => {
  const { page, close } = await open(browser, file);
  const expected = Object.entries(json.figures).map(([name, { measured, same_work: same, fitted }]) => [name.replaceAll("_", " "),
    measured, same.predicted, same.error, fitted.predicted, fitted.error, fitted.low, fitted.high]);
  assert.deepEqual(await cells(page, "predicted"), expected);
  await close();
});

test("measured and predicted run are side by side", async () => {
  const { page, close } = await open(browser, file);
  const [measured, predicted] = await cells(page, "over-time");
  assert.deepEqual([measured[0], predicted[0]], ["measured", "predicted, same work"]);
  const { measured: utilisation } = json.figures.utilisation;
  for (const row of [measured, predicted]) assert.ok(Math.abs(row[4] - utilisation) < 0.05, `utilisation ${row[4]} instead of ${utilisation}`);
  await close();
});

test("with other workers than recorded it says what would change, and calls nothing an error", async () => {
  const other = join(temporaryFolder(), "other.html");
  const { changes, figures } = JSON.parse(execFileSync(artel, ["replay", recorded, "--workers", "7", "--json", "--report", other], { encoding: "utf8" }));
  assert.equal(changes.length, 1);
  for (const view of views) await (await assertSound(browser, other, view)).close();
  const { page, close } = await open(browser, other);
  const words = await page.locator("#predicted").innerText();
  assert.match(words, /What would be different\?/);
  assert.ok(words.includes(changes[0]) && !/error/i.test(words), words);
  assert.deepEqual((await cells(page, "predicted")).map((row) => row[3]), Object.values(figures).map(({ same_work: same }) => same.change));
  await close();
});

test("classes have a line each, measured beside predicted", async () => {
  const folder = temporaryFolder();
  const csv = join(folder, "classes.csv"), page390 = join(folder, "classes.html");
  writeFileSync(csv, `submitted,started,finished,kind\n${Array.from({ length: 600 }, (_, i) => `${i},${i},${i + 0.4 + (i % 5) * 0.1},${i % 4 === 0 ? "slow" : "quick"}`).join("\n")}\n`);
  const { classes } = JSON.parse(execFileSync(artel, ["replay", csv, "--class-by", "kind", "--workers", "2", "--replications", "0", "--json", "--report", page390], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
  assert.deepEqual(classes.map(({ class: name, tasks }) => [name, tasks]), [["quick", 450], ["slow", 150]]);
  for (const view of views) await (await assertSound(browser, page390, view)).close();
  const { page, close } = await open(browser, page390);
  const expected = classes.map(({ class: name, tasks, figures }) => [name, tasks, ...["mean_response", "p50_response", "p99_response"].flatMap((figure) => [figures[figure].measured, figures[figure].same_work.predicted, figures[figure].same_work.error])]);
  assert.deepEqual(await cells(page, "classes"), expected);
  await close();
});

test("without fitted work there is no second prediction", async () => {
  const plain = join(temporaryFolder(), "plain.html");
  execFileSync(artel, ["replay", recorded, "--replications", "0", "--report", plain]);
  const { page, problems, close } = await open(browser, plain);
  assert.equal((await cells(page, "predicted"))[0].length, 4);
  assert.equal((await cells(page, "distribution")).length, 2);
  assert.deepEqual(problems, []);
  await close();
});
