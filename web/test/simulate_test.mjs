// The report of `artel simulate`: says what the JSON says, in both themes and on small screens.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, test } from "node:test";
import { assertSound, cells, launch, open, run, temporaryFolder, views, withReport } from "./browser.mjs";

const browser = await launch();
after(() => browser.close());
const folder = temporaryFolder();

const sweep = `
name = "Two sizes"
[workload]
arrivals = { kind = "poisson", rate = 6 }
service  = { distribution = "exponential", mean = "1 s" }
[pool]
workers = 8
[dispatch]
policies = ["central", "least_loaded", "random"]
[slo]
p99_response = "8 s"
[run]
tasks = 3000
replications = 4
[sweep]
pool.workers = [8, 12, 16]
`;
const { json, page: file } = run("simulate", folder, "sweep", sweep);

for (const view of views) {
  test(`opens without a complaint, and no label covers another: ${view.theme}, ${view.width} px`, async () => {
    const { page, close } = await assertSound(browser, file, view);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), view.theme);
    await close();
  });
}

test("every line has its name at its end, and a mark of its own, on phones, too", async () => {
  const { page, close } = await open(browser, file, { width: 390 });
  const names = ["central", "least loaded", "random"];
  for (const section of ["sweep", "distribution"]) {
    assert.deepEqual((await page.$$eval(`#${section} [aria-label=names] text`, (texts) => texts.map(({ textContent }) => textContent))).sort(), names);
    const dashes = await page.$$eval(`#${section} .chart [aria-label=line] path`, (lines) => lines.map((line) => getComputedStyle(line).strokeDasharray));
    assert.equal(new Set(dashes).size, names.length);
  }
  await close();
});

test("the switch changes the theme", async () => {
  const { page, close } = await open(browser, file);
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  await page.click(".theme");
  assert.notEqual(await background(), light);
  await page.click(".theme");
  assert.equal(await background(), light);
  await close();
});

test("the distribution's numbers are those of the JSON, at every point", async () => {
  const { page, close } = await open(browser, file);
  for (let point = 0; point < json.points.length; ++point) {
    await page.selectOption("#distribution select", String(point));
    const expected = json.points[point].policies.map(({ policy, response, wait, utilisation, rejected, slo }) => [policy.replaceAll("_", " "),
      ...["mean", "p50", "p90", "p95", "p99", "p999"].map((name) => response[name].value), response.max_of_all,
      wait.mean.value, utilisation.value, rejected.value, { met: "yes", missed: "no", unclear: "unclear" }[slo[0].verdict]]);
    assert.deepEqual(await cells(page, "distribution"), expected);
  }
  await close();
});

test("the pointer shows numbers, and a click on a policy hides its curve", async () => {
  const { page, close } = await open(browser, file);
  const chart = page.locator("#distribution .chart svg").first();
  const curves = () => page.locator("#distribution .chart svg [aria-label=line] path").count();
  assert.equal(await curves(), 3);
  await chart.hover();
  assert.match(await page.locator("#distribution .tip").innerText(), /takes? longer than[^]*random\s+[\d.]+ (ms|s)/);
  await page.click("#distribution .chip >> text=random");
  assert.equal(await curves(), 2);
  assert.equal(await page.locator("#over-time svg").count(), 2);
  await close();
});

test("every question has its chart", async () => {
  const { page, close } = await open(browser, file);
  assert.deepEqual(await page.$$eval("section", (sections) => sections.map(({ id }) => id)),
    ["needed", "sweep", "distribution", "over-time", "utilisation", "workers", "timeline"]);
  const drawn = (selector) => page.locator(selector).count();
  assert.equal(await drawn("#needed svg [aria-label=bar] > *"), json.smallest.filter(({ value }) => value !== null).length);
  assert.equal(await drawn("#sweep .chart svg [aria-label=dot] > *"), 9);
  assert.equal(await drawn("#over-time svg"), 3);
  assert.equal(await drawn('.chart svg:not([aria-label])'), 0);
  assert.ok(await drawn("#workers svg rect") > 20);
  assert.ok(await drawn("#timeline svg rect") > 20);
  await close();
});

test("the workers needed, and the figures along the sweep, are those of the JSON", async () => {
  const { page, close } = await open(browser, file);
  const needed = Object.fromEntries(await cells(page, "needed"));
  for (const { policy, value, beyond } of json.smallest) assert.equal(String(needed[policy.replaceAll("_", " ")]), value ?? beyond ?? "none");
  const options = await page.$$eval("#sweep select:first-of-type option", (all) => all.map(({ textContent }) => textContent));
  const values = { "p99 response time": ({ response }) => response.p99.value, "mean of the response time": ({ response }) => response.mean.value,
    utilisation: ({ utilisation }) => utilisation.value };
  for (const [name, value] of Object.entries(values)) {
    await page.selectOption("#sweep select", String(options.indexOf(name)));
    const expected = json.points[0].policies.map(({ policy }, k) => [policy.replaceAll("_", " "), ...json.points.map(({ policies }) => value(policies[k]))]);
    assert.deepEqual(await cells(page, "sweep"), expected);
  }
  await close();
});

test("what was watched agrees with what was measured", async () => {
  const { page, close } = await open(browser, file);
  const report = await page.evaluate(() => JSON.parse(document.getElementById("report").textContent));
  assert.deepEqual(report.simulate, json);
  const { policies } = json.points[report.observed.point];
  for (const [i, row] of (await cells(page, "over-time")).entries()) {
    const near = (got, expected) => assert.ok(Math.abs(got - expected) < 0.25 * expected, `${row[0]}: ${got} instead of ${expected}`);
    near(row[1], policies[i].in_system.value);
    near(row[4], policies[i].utilisation.value);
  }
  await close();
});

test("the tasks of the busiest moment are there as numbers, for every policy", async () => {
  const { page, close } = await open(browser, file);
  const report = await page.evaluate(() => JSON.parse(document.getElementById("report").textContent));
  await page.click("#timeline summary");
  for (const { policy, tasks } of report.observed.policies) {
    await page.selectOption("#timeline select", policy);
    await page.waitForFunction((count) => document.querySelectorAll("#timeline tbody tr").length === count, tasks.worker.length);
    const rows = await cells(page, "timeline");
    assert.deepEqual(rows.map((row) => row[3]), tasks.end);
  }
  await close();
});

test("paper shows all short tables, in the light theme", async () => {
  const { page, close } = await open(browser, file, { theme: "dark" });
  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)");
  assert.ok(await page.locator("#distribution table").isVisible());
  assert.ok(!(await page.locator(".theme").isVisible()));
  await close();
});

test("a run that was stopped before anything was finished has a page, too", async () => {
  const stopped = withReport(file, join(folder, "stopped.html"), (report) => {
    for (const point of report.simulate.points) point.policies = point.policies.map(({ policy }) => ({ policy, replications: 0, tasks: 0 }));
    report.tails = report.tails.map((point) => point.map(({ policy }) => ({ policy, seconds: [], share: [] })));
    report.simulate.smallest = [];
    delete report.observed;
  });
  const { page, problems, close } = await open(browser, stopped, { charts: false });
  await page.waitForSelector("#distribution .chart p");
  assert.deepEqual(await page.$$eval("section", (sections) => sections.map(({ id }) => id)), ["sweep", "distribution"]);
  assert.deepEqual(problems, []);
  await close();
});

test("names are text, whatever they look like", async () => {
  const name = `</script><script>alert(1)</script><img src=x onerror=alert(2)>{{report}}&lt;!--<b>`;
  const { page: hostile } = run("simulate", folder, "hostile", sweep.replace("Two sizes", name));
  const { page, problems, close } = await open(browser, hostile);
  assert.equal(await page.title(), name);
  assert.equal(await page.locator("h1").innerText(), name);
  assert.equal(await page.locator("img").count(), 0);
  assert.deepEqual(problems, []);
  await close();
});
