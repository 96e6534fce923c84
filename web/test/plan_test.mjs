// The report of `artel plan`: what each policy needs, and the pool to paste, as in the JSON.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { assertNoSidewaysScroll, cells, launch, open, run, temporaryFolder } from "./browser.mjs";

const browser = await launch();
after(() => browser.close());
const folder = temporaryFolder();

const scenario = `
name = "How many?"
[workload]
arrivals = { kind = "poisson", rate = 5 }
service  = { distribution = "exponential", mean = "1 s" }
[pool]
workers = 8
[dispatch]
policies = ["central", "least_loaded"]
[run]
tasks = 2000
replications = 5
`;
const { json, page: file } = run("plan", folder, "plan", scenario, ["--slo", "p99<9s,rejected<5%", "--queue", "2,inf", "--price", "0.25/h"]);
const names = ["central", "least_loaded (queue 2)", "least_loaded (queue inf)"];

for (const [theme, width] of [["dark", 1200], ["light", 390]]) {
  test(`opens without a complaint: ${theme}, ${width} px`, async () => {
    const { page, problems, close } = await open(browser, file, { theme, width });
    await assertNoSidewaysScroll(page);
    assert.deepEqual(await page.$$eval("section", (sections) => sections.map(({ id }) => id)),
      ["needed", "code", "sweep", "distribution", "over-time", "utilisation", "workers", "timeline"]);
    assert.deepEqual(problems, []);
    await close();
  });
}

test("workers and costs are those of the JSON", async () => {
  const { page, close } = await open(browser, file);
  assert.equal(json.rows.length, names.length);
  const expected = json.rows.map(({ workers, cost_per_hour: cost }, i) => [names[i].replaceAll("_", " "), workers, cost]);
  const byName = (a, b) => (a[0] < b[0] ? -1 : 1);
  assert.deepEqual((await cells(page, "needed")).sort(byName), expected.sort(byName));
  await close();
});

test("every trial is there", async () => {
  const { page, close } = await open(browser, file);
  const rows = await cells(page, "sweep");
  json.rows.forEach(({ trials }, i) => {
    const row = rows.find(([name]) => name === names[i].replaceAll("_", " "));
    assert.deepEqual(row.slice(1).filter((value) => value !== "–"), trials.map(({ slo }) => slo[0].value));
  });
  await close();
});

test("the code to paste is the command's", async () => {
  const { page, close } = await open(browser, file);
  assert.equal(await page.locator("#code pre").textContent(), json.rows[json.best].code);
  await close();
});

test("of a log there is the back-test, with the numbers of the JSON", async () => {
  const tasks = Array.from({ length: 600 }, (_, i) => `${(i * 0.1).toFixed(1)},${(0.2 + (i % 7) * 0.05).toFixed(2)}`);
  const { json: plan, page: file } = run("plan", folder, "log", `submitted,service\n${tasks.join("\n")}\n`, ["--workers", "5", "--slo", "p99<2s"], "csv");
  // Without starts in the trace there is nothing to test with, and that is said.
  assert.match(plan.backtest.no_answer, /nothing was measured/);
  const first = await open(browser, file);
  assert.match(await first.page.locator("#backtest").innerText(), /No back-test: nothing was measured/);
  await first.close();

  const known = tasks.map((task) => { const [at, service] = task.split(",").map(Number); return `${at},${at},${(at + service).toFixed(2)}`; });
  const { json: tested, page: drawn } = run("plan", folder, "known", `submitted,started,finished\n${known.join("\n")}\n`, ["--workers", "5", "--slo", "p99<2s"], "csv");
  const { page, problems, close } = await open(browser, drawn, { width: 390 });
  await assertNoSidewaysScroll(page);
  const { figures } = tested.backtest;
  const rows = Object.entries(figures).map(([name, { measured, predicted, error, low, high }]) => [name.replaceAll("_", " "), measured, predicted, error, low, high]);
  assert.deepEqual(await cells(page, "backtest"), rows);
  assert.deepEqual(problems, []);
  await close();
});

test("a plan without an answer has a report, too", async () => {
  const { page: none, status } = run("plan", folder, "none", scenario, ["--slo", "p50<1ms"]);
  assert.equal(status, 1);
  const { page, problems, close } = await open(browser, none);
  assert.match(await page.locator(".lede").innerText(), /^No policy meets p50 response ≤ 1 ms/);
  assert.equal(await page.locator("#code").count(), 0);
  assert.deepEqual(problems, []);
  await close();
});
