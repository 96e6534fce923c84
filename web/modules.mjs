// Makes sure that node_modules, of web/ or a folder in it, is what package-lock.json says; fetches it only when it is not.
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const web = dirname(fileURLToPath(import.meta.url));

export function ensureModules(npm = "npm", folder = web) {
  const wanted = join(folder, "package-lock.json");
  const installed = join(folder, "node_modules", ".artel-lock.json");
  if (existsSync(installed) && readFileSync(installed, "utf8") === readFileSync(wanted, "utf8")) return;
  try {
    // No package's script has a reason to run.
    execFileSync(npm, ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
      { cwd: folder, stdio: ["ignore", "inherit", "inherit"] });
  } catch {
    console.error("web: `npm ci` failed. It needs the network once; -DARTEL_REPORT=OFF builds artel without --report.");
    process.exit(1);
  }
  copyFileSync(wanted, installed);
}
