#!/usr/bin/env node
// every_key.mjs ARTEL: every key of a scenario's schema is given a value in some example of the guides that is run or checked (but for a few
// that need something built).
import { execFileSync } from 'node:child_process';
import { blocks, pages } from './blocks.mjs';

const schema = JSON.parse(execFileSync(process.argv[2], ['simulate', '--json-schema'], { encoding: 'utf8' }));
const kDepth = 6;  // of tables in tables: deeper ones are distributions of distributions

const keys = new Map();  // key → a table that has it
function collect(node, path) {
  const { $ref: reference } = node;
  const here = reference === undefined ? node : reference.split('/').slice(1).reduce((at, step) => at[step], schema);
  for (const [key, inner] of Object.entries(here.properties ?? {})) {
    if (!keys.has(key)) keys.set(key, path.join('.'));
    if (path.length < kDepth) collect(inner, [...path, key]);
  }
  if (here.items !== undefined && path.length < kDepth) collect(here.items, [...path, '[]']);
  for (const word of ['oneOf', 'anyOf', 'allOf']) for (const inner of here[word] ?? []) collect(inner, path);
  for (const word of ['if', 'then', 'else']) if (here[word] !== undefined) collect(here[word], path);
}
collect(schema, []);

const text = pages().flatMap((page) => blocks(page, () => {})).filter(({ language }) => ['toml', 'sh'].includes(language)).map((block) => block.text).join('\n');
const given = (key) => new RegExp(`(^|[\\s{.,\\[])${key}\\s*(=|\\]|\\.)`, 'm').test(text);
const missing = [...keys].filter(([key]) => !given(key));
for (const [key, table] of missing) console.log(`no example of the guides gives '${key}' of [${table}] a value; docs/scenario-keys.md is the place for it`);
if (keys.size < 100) console.log(`${keys.size} keys in the schema: too few to be all`);
process.exit(missing.length === 0 && keys.size >= 100 ? 0 : 1);
