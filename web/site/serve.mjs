// serve.mjs [PORT]: the site in build/docs, for a browser on this machine.
import { createServer } from "node:http";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(import.meta.url);
export const site = join(dirname(here), "../../build/docs");
const kTypes = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png", ".json": "application/json", ".woff2": "font/woff2", ".txt": "text/plain; charset=utf-8" };

// The file that is served for a path; undefined: none.
export function find(path) {
  const file = join(site, decodeURIComponent(path));
  return [file, `${file}.html`, join(file, "index.html")].find((name) => existsSync(name) && statSync(name).isFile());
}

export async function serve(port) {
  const server = createServer((request, response) => {
    const file = find(new URL(request.url, "http://site").pathname);
    response.writeHead(file ? 200 : 404, { "content-type": kTypes[extname(file ?? "")] ?? "application/octet-stream" });
    response.end(file ? readFileSync(file) : "");
  });
  await new Promise((ready) => server.listen(port, "127.0.0.1", ready));
  return server;
}

if (process.argv[1] === here) {
  const server = await serve(Number(process.argv[2] ?? 8080));
  console.log(`http://127.0.0.1:${server.address().port}`);
}
