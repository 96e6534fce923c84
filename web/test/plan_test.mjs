// The report of `artel plan`: what each policy needs, and the pool to paste, as in the JSON.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { assertSound, cells, launch, open, run, temporaryFolder, views } from "./browser.mjs";

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

for (const view of views) {
  test(`opens without a complaint, and no label covers another: ${view.theme}, ${view.width} px`, async () => {
    const { page, close } = await assertSound(browser, file, view);
    assert.deepEqual(await page.$$eval("section", (sections) => sections.map(({ id }) => id)),
      ["needed", "code", "sweep", "objective-cost", "growth", "distribution", "over-time", "utilisation", "workers", "timeline"]);
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
  const { page, close } = await assertSound(browser, drawn, { width: 390 });
  const { figures } = tested.backtest;
  const rows = Object.entries(figures).map(([name, { measured, predicted, error, low, high }]) => [name.replaceAll("_", " "), measured, predicted, error, low, high]);
  assert.deepEqual(await cells(page, "backtest"), rows);
  await close();
});

test("of a log there is what was recorded: the fleet, its load over time and the law of its work, as in the JSON", async () => {
  const tasks = Array.from({ length: 3000 }, (_, i) => `${(i * 10).toFixed(1)},${(20 + (i % 7) * 5 + (i < 1500 ? 20 : 0)).toFixed(2)}`);
  const { json: { fleet }, page: file } = run("plan", folder, "hours", `submitted,service\n${tasks.join("\n")}\n`, ["--workers", "5", "--slo", "p99<200s"], "csv");
  assert.equal(fleet.tasks, 3000);
  assert.equal(fleet.load.by, "hour of the recording");
  for (const view of views) await (await assertSound(browser, file, view)).close();
  const { page, close } = await open(browser, file);
  assert.deepEqual(await cells(page, "load"), fleet.load.rows.map(({ from, rate, work, utilisation }) => [String(from), rate, work, utilisation]));
  assert.match(await page.locator("#fleet").innerText(), /3.000 in 8.33 h[^]*0\.1 per second[^]*5, [^]*%/);
  const laws = await cells(page, "service-times");
  assert.deepEqual(laws.map(([name]) => name), ["recorded", "fitted", "exponential"]);
  const p99 = (curve) => curve.seconds[curve.share.findIndex((share) => share <= 0.0100001)];
  fleet.service_times.forEach((curve, i) => assert.ok(Math.abs(laws[i][4] / p99(curve) - 1) < 0.02, `${laws[i]} instead of ${p99(curve)}`));
  await close();
});

test("classes of a log have a line each in what was recorded", async () => {
  const lines = Array.from({ length: 1200 }, (_, i) => `${(i * 0.1).toFixed(1)},${(i * 0.1).toFixed(1)},${(i * 0.1 + 0.2 + (i % 7) * 0.02).toFixed(2)},${i % 3 === 0 ? "<b>cart</b>" : "item"}`);
  const { json: { fleet }, page: file } = run("plan", folder, "classes", `submitted,started,finished,kind\n${lines.join("\n")}\n`, ["--class-by", "kind", "--workers", "5", "--slo", "p99<2s"], "csv");
  assert.deepEqual(fleet.classes.map(({ class: name, tasks }) => [name, tasks]), [["item", 800], ["<b>cart</b>", 400]]);
  for (const view of views) await (await assertSound(browser, file, view)).close();
  const { page, close } = await open(browser, file);
  const rows = await cells(page, "fleet");
  assert.deepEqual(rows, fleet.classes.map(({ class: name, tasks, response, service }) => [name, tasks, tasks / 1200, response.mean, response.p50, response.p95, response.p99, service.mean]));
  assert.equal(await page.locator("#fleet b").count(), 0, "a name is no HTML");
  await close();
});

test("what more work would do to the answer's pool", async () => {
  const { page, close } = await open(browser, file);
  const { growth } = await page.evaluate(() => JSON.parse(document.getElementById("report").textContent));
  assert.deepEqual(growth.map(({ rate, work }) => [rate, work]), [[0.8, 1], [0.9, 1], [1, 1], [1.1, 1], [1.2, 1], [1.3, 1], [1.5, 1], [1, 0.95], [1, 1.05]]);
  const rows = await cells(page, "growth");
  assert.deepEqual(rows[0].slice(1), growth.filter(({ work }) => work === 1).map(({ slo }) => slo[0].value));
  assert.equal(rows[2][3], growth.at(-1).slo[0].value);
  await close();
});

test("what another objective would cost comes from the sizes that were tried", async () => {
  const { page, close } = await open(browser, file);
  for (const [name, limit, workers, cost] of await cells(page, "objective-cost")) {
    const { trials } = json.rows[names.findIndex((other) => other.replaceAll("_", " ") === name)];
    const enough = trials.filter(({ slo: [{ value, half_width: half }] }) => value + half <= limit * (1 + 1e-12));
    assert.equal(workers, Math.min(...enough.map((trial) => trial.workers)));
    assert.equal(cost, 0.25 * workers);
  }
  await close();
});

test("a fleet that is scaled stands beside the static ones, with its cost and its verdict", async () => {
  const scaling = `${scenario}[pool.scaling]\npolicy = "hpa"\nmin = 2\nmax = 20\ntarget = 0.8\nstart_up = "5 s"\n`;
  const { json: plan, page: file } = run("plan", folder, "scaled", scaling, ["--slo", "p99<9s", "--price", "0.25/h"]);
  assert.equal(plan.scaled.length, 2);
  for (const view of views) await (await assertSound(browser, file, view)).close();
  const { page, close } = await open(browser, file);
  const rows = await cells(page, "needed");
  for (const { policy, fleet, workers, cost_per_hour: cost, slo } of plan.scaled) {
    const name = `${policy}, ${fleet}`.replaceAll("_", " ");
    assert.deepEqual(rows.find(([other]) => other === name), [name, workers.value, cost, { met: "yes", missed: "no", unclear: "unclear" }[slo[0].verdict]]);
  }
  assert.equal(plan.fleets.length, plan.rows.filter((row) => row.workers !== null).length + plan.scaled.length);
  assert.deepEqual(await cells(page, "fleets"), plan.fleets.map(({ policy, fleet, response, verdict, workers, worker_hours_per_day: hours, cost_per_hour: cost }) =>
    [policy.replaceAll("_", " "), fleet, response.p99.value, { met: "yes", missed: "no", unclear: "unclear" }[verdict], workers, hours, cost]));
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
