// stage(folder): gathers the tracked pages in `folder`, in the places that they have in the repository; a README is its folder's index.
// A link to a header leads to a page with its text, one to another file to the bare text under /source/, one to a folder to its README,
// or nowhere.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { publicText } from "./public_text.mjs";

const here = dirname(fileURLToPath(import.meta.url));
export const root = join(here, "../..");

const placeOf = (page) => page.replace(/(^|\/)README\.md$/, "$1index.md");

function headerPage(file) {
  const text = publicText(readFileSync(join(root, file), "utf8"));
  return `---\npageClass: header-page\naside: false\nprev: false\nnext: false\n---\n\n# ${file}\n\n\`\`\`\`cpp\n#include "${file}"\n\n${text}\`\`\`\`\n`;
}

function put(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

export function stage(folder) {
  rmSync(folder, { recursive: true, force: true });
  const pages = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "--", "*.md"], { cwd: root, encoding: "utf8" }).trim().split("\n")
    .filter((page) => existsSync(join(root, page)));
  const known = new Set(pages);

  const link = (page, whole, text, target) => {
    if (/^(https?:|mailto:|#)/.test(target)) return whole;
    const [path, anchor] = target.split("#");
    const file = normalize(join(dirname(page), path)).replace(/\/$/, "");
    const to = (other) => `[${text}](${relative(dirname(page), placeOf(other))}${anchor ? `#${anchor}` : ""})`;
    if (known.has(file)) return to(file);
    if (!existsSync(join(root, file))) throw new Error(`${page}: a link to ${file}, which is not there`);
    if (statSync(join(root, file)).isDirectory()) return known.has(`${file}/README.md`) ? to(`${file}/README.md`) : text;
    if (file.endsWith(".hpp")) {
      put(join(folder, `${file}.md`), headerPage(file));
      return to(`${file}.md`);
    }
    put(join(folder, "public/source", `${file}.txt`), readFileSync(join(root, file)));
    return `<a href="/source/${file}.txt" target="_blank">${text.replace(/`([^`]*)`/g, "<code>$1</code>")}</a>`;
  };
  const picture = (page, whole, attribute, path) => {
    const file = normalize(join(dirname(page), path));
    return file.startsWith("docs/images/") ? `${attribute}="/${file}"` : whole;
  };
  for (const page of pages) {
    // Fences are left alone: what looks like a link there is code.
    const parts = readFileSync(join(root, page), "utf8").split(/(^```[^]*?^```$)/m);
    const text = parts.map((part) => (part.startsWith("```") ? part
      : part.replace(/(src|srcset)="([^":]+)"/g, (whole, attribute, path) => picture(page, whole, attribute, path)).replace(/(?<!!)\[((?:[^\]`]|`[^`]*`)*)\]\(([^)\s]+)\)/g, (whole, words, target) => link(page, whole, words, target)))).join("");
    put(join(folder, placeOf(page)), text);
  }
  cpSync(join(root, "docs/images"), join(folder, "public/docs/images"), { recursive: true });
  const title = (page) => readFileSync(join(root, page), "utf8").match(/^# (.*)$/m)?.[1] ?? page;
  const decisions = pages.filter((page) => page.startsWith("docs/decisions/")).map((page) => ({ text: title(page), link: `/${placeOf(page).replace(/(index)?\.md$/, "")}` }));
  put(join(folder, ".vitepress/config.mjs"),
    `globalThis.artelDecisions = ${JSON.stringify(decisions)};\n${readFileSync(join(here, "config.mjs"), "utf8")}`);
  put(join(folder, ".vitepress/theme/index.mjs"), 'import theme from "vitepress/theme";\nimport "./style.css";\n\nexport default theme;\n');
  cpSync(join(here, "style.css"), join(folder, ".vitepress/theme/style.css"));
  symlinkSync(join(here, "node_modules"), join(folder, "node_modules"));
  return pages.length;
}
