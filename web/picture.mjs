// picture.mjs REPORT.html SECTION OUT [SHOWN]: draws one chart of a report as OUT-light.png and OUT-dark.png, for the documentation;
// of what the chart can show, SHOWN.
import { pathToFileURL } from "node:url";
import { launch } from "./test/browser.mjs";

const [report, section, out, shown] = process.argv.slice(2);
if (!out) {
  console.error("usage: node web/picture.mjs REPORT.html SECTION OUT [SHOWN]");
  process.exit(2);
}
const browser = await launch();
for (const theme of ["light", "dark"]) {
  const page = await browser.newPage({ viewport: { width: 840, height: 900 }, deviceScaleFactor: 2, colorScheme: theme });
  await page.goto(pathToFileURL(report).href);
  if (shown) await page.locator(`#${section} select`).first().selectOption({ label: shown });
  await page.addStyleTag({ content: ".controls, .note, details { display: none } section { margin: 0; padding: 16px; width: 100% } main { padding: 0 }" });
  const chart = page.locator(`#${section}`);
  await chart.locator("svg").first().waitFor();
  await page.waitForTimeout(300);              // the chart is drawn anew for its new width
  await chart.screenshot({ path: `${out}-${theme}.png` });
  await page.close();
}
await browser.close();
