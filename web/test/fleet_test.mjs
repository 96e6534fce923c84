// The page of a fleet says what the command's table says: classes, callers that give up, sizes that change; and nothing of what nobody measured.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, test } from "node:test";
import { assertSound, cells, launch, open, run, temporaryFolder, views } from "./browser.mjs";

const browser = await launch();
after(() => browser.close());
const folder = temporaryFolder();

const scenario = `
name = "A shop"
[workload]
arrivals = { kind = "poisson", rate = 6 }
service  = { distribution = "exponential", mean = "1 s" }
classes  = [{ name = "interactive", share = 0.7 }, { name = "batch", share = 0.3 }]
[workload.callers]
timeout = "6 s"
retries = 2
backoff = "1 s"
[pool]
workers = 8
[pool.scaling]
policy   = "hpa"
min      = 4
max      = 16
target   = 0.8
start_up = "5 s"
[dispatch]
policies = ["central", "random"]
[slo]
p99_response = "8 s"
[run]
tasks = 3000
replications = 4
[plan]
price = "0.5/h"
`;
const { json, page: file, stderr } = run("simulate", folder, "fleet", scenario);
assert.ok(json, stderr);

for (const view of views) {
  test(`opens without a complaint, and no label covers another: ${view.theme}, ${view.width} px`, async () => {
    await (await assertSound(browser, file, view)).close();
  });
}

test("classes have rows of their own, and what fleets have has columns", async () => {
  const { page, close } = await open(browser, file);
  const titles = await page.$$eval("#distribution thead th", (all) => all.map(({ textContent }) => textContent));
  assert.deepEqual(titles.slice(11, -1), ["abandoned", "failed", "goodput/s", "attempts", "workers", "price per hour"]);
  const rows = await cells(page, "distribution");
  const expected = json.points[0].policies.flatMap((policy) => [policy, ...policy.classes].map((row) => [
    row.policy ?? `\u2003${row.class}`, row.response.p99.value, row.abandoned.value, row.failed.value, row.goodput.value,
    row.attempts?.value ?? "", row.workers?.value ?? "", row.price_per_hour ?? ""]));
  assert.deepEqual(rows.map((row) => [row[0], row[5], ...row.slice(11, -1)]), expected);
  await close();
});

test("nothing measured is told as that, never as 0 or as an answer", async () => {
  const toml = scenario.replace("replications = 4", "replications = 4\nwarm_up = \"100000 s\"");
  for (const [name, sweep] of [["point", ""], ["sweep", "[sweep]\npool.scaling.max = [16, 20]\n"]]) {
    const { json: none, page: nothing, stderr: complaint } = run("simulate", folder, `none-${name}`, toml + sweep);
    assert.equal(none?.points[0].policies[0].slo[0].verdict, "not measured", complaint);
    for (const view of views) await (await assertSound(browser, nothing, view, { charts: false })).close();
    const { page, close } = await open(browser, nothing, { charts: false });
    const words = await page.locator("main").innerText();
    assert.doesNotMatch(words, /undefined|NaN|null/);
    assert.doesNotMatch(await page.locator(".lede").innerText(), /meets|needs/);
    for (const row of await cells(page, "distribution")) assert.deepEqual(new Set(row.slice(1, -1)), new Set(["–"]), row[0]);
    const verdicts = (await cells(page, "distribution")).map((row) => row.at(-1));
    assert.ok(verdicts.includes("not measured"), verdicts.join());
    await close();
  }
});
