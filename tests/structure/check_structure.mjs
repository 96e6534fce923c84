#!/usr/bin/env node
// check_structure.mjs [--api] [ROOT]: what the compiler does not see: arrows between rooms, insides, sizes, names, docs/api.md.
// Prints file:line, what was found and what is allowed; exits 1 on any. --api writes docs/api.md instead.
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { api_page } from './api_page.mjs';
import { findings_in } from './rules.mjs';
import { read_tree } from './source_tree.mjs';

const args = process.argv.slice(2);
const root = resolve(args.find((arg) => !arg.startsWith('--')) ?? join(dirname(fileURLToPath(import.meta.url)), '../..'));
if (!existsSync(join(root, 'layers.txt'))) {
  console.error(`check_structure: no layers.txt in ${root}`);
  process.exit(2);
}

const tree = read_tree(root);
if (args.includes('--api')) {
  writeFileSync(join(root, 'docs/api.md'), api_page(tree));
  process.exit(0);
}

const findings = findings_in(tree);
for (const finding of findings) console.log(finding);
process.exit(findings.length === 0 ? 0 : 1);
