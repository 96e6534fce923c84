#!/usr/bin/env node
// check_quotes.mjs [--write]: on every page a code block right below `<!-- FILE: NAME -->` is what stands in FILE between `// [NAME]`
// and `// [/NAME]`, moved to the left; FILE is seen from the root. Prints what differs and exits 1; --write corrects it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pages, root } from '../docs/blocks.mjs';

const args = process.argv.slice(2);

/** What FILE has under that name; nothing if it has no such part. */
function quote(file, name) {
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  const at = (mark) => lines.findIndex((line) => line.trim() === `// [${mark}]`);
  const [from, to] = [at(name), at(`/${name}`)];
  if (from < 0 || to < from) return undefined;
  const part = lines.slice(from + 1, to);
  const margin = Math.min(...part.filter((line) => line.trim()).map((line) => line.search(/\S/)));
  return part.map((line) => `${line.slice(margin)}\n`).join('');
}

let findings = 0;
for (const page of pages()) {
  const found = (what) => { console.log(`${page}: ${what}`); ++findings; };
  const text = readFileSync(join(root, page), 'utf8');
  const right = text.replace(/(<!-- (\S+): (\w+) -->\n```\w+\n)([^]*?)(?=```)/g, (whole, head, file, name, block) => {
    const wanted = quote(file, name);
    if (wanted === undefined) found(`${file} has no part // [${name}]`);
    else if (wanted !== block && !args.includes('--write')) found(`not what stands in ${file} as ${name}`);
    return head + (wanted ?? block);
  });
  if (args.includes('--write')) writeFileSync(join(root, page), right);
}
process.exit(findings === 0 ? 0 : 1);
