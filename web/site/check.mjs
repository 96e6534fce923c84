// check.mjs: opens every page of build/docs that a link leads to in a headless Chromium, on a phone and on a desk, and prints dead links,
// missing anchors, what the browser complains about, pages that are wider than the screen, guides that no menu leads to, and a search that
// finds nothing. Exits 1 if there is any.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { launch } from "../test/browser.mjs";
import { ensureModules } from "../modules.mjs";
import { find, serve, site } from "./serve.mjs";

const kWidths = [390, 1400];

const server = await serve(0);
const origin = `http://127.0.0.1:${server.address().port}`;

ensureModules();
const browser = await launch();
const problems = new Set();
const anchors = new Map();                     // page -> ids
const inMenu = new Set();                      // pages that the menu at the side leads to
const wanted = [];                             // anchors that a link asks for
const pageOf = (url) => url.pathname.replace(/\.html$/, "").replace(/\/index$/, "/");

async function look(page, path, width) {
  await page.goto(origin + path, { waitUntil: "load" });
  await page.waitForSelector(".VPDoc, .VPHome");
  const found = await page.evaluate(() => ({
    links: [...document.querySelectorAll("a[href]")].map((a) => a.href),
    ids: [...document.querySelectorAll("[id]")].map((element) => element.id),
    menu: [...document.querySelectorAll(".VPSidebar a[href]")].map((a) => a.href),
    wide: document.documentElement.scrollWidth,
  }));
  if (found.wide > width) problems.add(`${path}: ${found.wide} px wide on a screen of ${width}`);
  anchors.set(path, new Set(found.ids));
  for (const link of found.menu) inMenu.add(pageOf(new URL(link)));
  return found.links.filter((link) => link.startsWith(origin)).map((link) => new URL(link));
}

// The page answers clicks some time after it is there, and what it opens then is over the button.
async function search(page, word) {
  await page.goto(origin, { waitUntil: "load" });
  const opened = () => page.waitForSelector(".VPLocalSearchBox input", { timeout: 1000 }).then(() => true, () => false);
  let open = false;
  for (let clicks = 0; !open && clicks < 20; ++clicks) {
    await page.click(".VPNavBarSearch button", { timeout: 1000 }).catch(() => {});
    open = await opened();
  }
  await page.fill(".VPLocalSearchBox input", word);
  await page.waitForSelector(".VPLocalSearchBox .result").catch(() => problems.add(`search: finds no page for '${word}'`));
}

for (const width of kWidths) {
  const page = await browser.newPage({ viewport: { width, height: 900 } });
  let at = "/";
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && problems.add(`${at}: console: ${message.text()}`));
  page.on("pageerror", (error) => problems.add(`${at}: ${error.message}`));
  page.on("response", (response) => response.status() >= 400 && problems.add(`${at}: ${response.url().replace(origin, "")} is not there`));
  page.on("request", (request) => request.url().startsWith(origin) || request.url().startsWith("data:") || problems.add(`${at}: asks the network for ${request.url()}`));
  const open = ["/"];
  const seen = new Set(open);
  while (open.length > 0) {
    at = open.pop();
    for (const url of await look(page, at, width)) {
      const path = pageOf(url);
      const file = find(path);
      if (!file) problems.add(`${at}: a link to ${path}, which is not there`);
      else if (file.endsWith(".html")) {
        if (url.hash) wanted.push({ at, path, id: decodeURIComponent(url.hash.slice(1)) });
        if (!seen.has(path) && !path.endsWith(".hpp")) open.push(path);     // the text of a header has no links
        seen.add(path);
      }
    }
  }
  at = "search";
  await search(page, "deadline");
  console.log(`${seen.size} pages at ${width} px`);
  await page.close();
}
for (const { at, path, id } of wanted) {
  if (!anchors.get(path)?.has(id)) problems.add(`${at}: a link to ${path}#${id}, which is not there`);
}
for (const name of readdirSync(join(site, "docs"))) {
  const path = name.endsWith(".html") ? `/docs/${name.slice(0, -5)}` : undefined;
  if (path && !inMenu.has(path)) problems.add(`${path}: is not in the menu (web/site/config.mjs)`);
}
await browser.close();
server.close();
for (const problem of [...problems].sort()) console.log(problem);
process.exit(problems.size === 0 ? 0 : 1);
