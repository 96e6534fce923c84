// The report of `artel simulate`: says what the JSON says, in both themes and on small screens.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { assertNoSidewaysScroll, cells, launch, open, simulate, temporaryFolder } from "./browser.mjs";

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
const { json, page: file } = simulate(folder, "sweep", sweep);

for (const theme of ["light", "dark"]) {
  for (const width of [1200, 390]) {
    test(`opens without a complaint: ${theme}, ${width} px`, async () => {
      const { page, problems, close } = await open(browser, file, { theme, width });
      assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), theme);
      await assertNoSidewaysScroll(page);
      assert.deepEqual(problems, []);
      await close();
    });
  }
}

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
    const expected = json.points[point].policies.map(({ policy, response }) => [policy.replaceAll("_", " "),
      ...["mean", "p50", "p90", "p95", "p99", "p999"].map((name) => response[name].value), response.max_of_all]);
    assert.deepEqual(await cells(page, "distribution"), expected);
  }
  await close();
});

test("the pointer shows numbers, and a click on a policy hides its curve", async () => {
  const { page, close } = await open(browser, file);
  const chart = page.locator("#distribution svg").first();
  const curves = () => page.locator("#distribution svg [aria-label=line] path").count();
  assert.equal(await curves(), 3);
  await chart.hover();
  assert.match(await page.locator("#distribution .tip").innerText(), /takes? longer than[^]*random\s+[\d.]+ (ms|s)/);
  await page.click("#distribution .chip >> text=random");
  assert.equal(await curves(), 2);
  await close();
});

test("names are text, whatever they look like", async () => {
  const name = `</script><script>alert(1)</script><img src=x onerror=alert(2)>{{report}}&lt;!--<b>`;
  const { page: hostile } = simulate(folder, "hostile", sweep.replace("Two sizes", name));
  const { page, problems, close } = await open(browser, hostile);
  assert.equal(await page.title(), name);
  assert.equal(await page.locator("h1").innerText(), name);
  assert.equal(await page.locator("img").count(), 0);
  assert.deepEqual(problems, []);
  await close();
});
