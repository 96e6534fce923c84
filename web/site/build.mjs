// build.mjs: makes the site of README.md and docs/ in build/docs. Fetches VitePress the first time; later it needs no network.
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureModules } from "../modules.mjs";
import { root, stage } from "./stage.mjs";

ensureModules("npm", dirname(fileURLToPath(import.meta.url)));
const pages = join(root, "build/docs-pages");
rmSync(join(root, "build/docs"), { recursive: true, force: true });
console.log(`${stage(pages)} pages`);
const { build } = await import("vitepress");
await build(pages);
