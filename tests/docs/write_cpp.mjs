#!/usr/bin/env node
// write_cpp.mjs OUT: the C++ of the pages as sources in OUT, with #line, so that the compiler names the page. Blocks that are no
// program are gathered in few sources, each in a namespace of its own. Prints a line for each source, `blocks FILE` or
// `program FILE LIBRARY…`, and one for each page that is to be run, `page PAGE`; mistakes on stderr and exits 1.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { blocks, isProgram, pages, programName, within } from './blocks.mjs';

const [out] = process.argv.slice(2);
mkdirSync(out, { recursive: true });
let mistakes = 0;
const problem = (what) => { console.error(what); ++mistakes; };

function write(name, text) {
  const file = join(out, name);
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
  return file;
}

const includesOf = (text) => text.split('\n').filter((line) => line.startsWith('#include'));
const withoutIncludes = (text) => text.replace(/^#include.*$/gm, '');
const roomsOf = (text) => [...new Set([...text.matchAll(/^#include "artel\/(\S+)\/\w+\.hpp"/gm)].map((found) => found[1]))];
const located = (block) => `#line ${block.line} "${block.page}"\n${block.text}`;

/** Blocks that share a namespace: one, and those that go on. */
function scopes(all) {
  const result = [];
  for (const block of all) {
    if (block.goesOn && result.length > 0) result.at(-1).push(block);
    else result.push([block]);
  }
  return result;
}

/** Which source takes them: what many blocks include is to be read once. */
function sourceOf(rooms) {
  if (rooms.some((room) => room.startsWith('cluster'))) return 'cluster';
  return rooms.some((room) => /^(sim|experiment|plan|predict|scenario)/.test(room)) ? 'sim' : 'pool';
}

const sources = new Map();
const lines = [];
for (const page of pages()) {
  const all = blocks(page, problem);
  const runs = all.some((block) => isProgram(block) || (['sh', 'toml'].includes(block.language) && !block.notRun));
  if (runs) lines.push(`page ${page}`);
  for (const program of all.filter(isProgram)) {
    const { before, after } = within(program);
    const text = `${before}\n${located(program)}${after}\n`;
    const libraries = roomsOf(text).map((room) => `artel_${room.replaceAll('/', '_')}`);
    lines.push(`program ${write(`${programName(program)}.cpp`, text)} ${libraries.join(' ')}`);
  }
  const rest = all.filter((block) => block.language === 'cpp' && !isProgram(block) && !block.quotes && !block.notCompiled);
  for (const scope of scopes(rest)) {
    const parts = scope.map((block) => { const { before, after } = within(block); return `${before}\n${located(block)}\n${after}`; });
    const source = sourceOf(roomsOf(parts.join('\n')));
    const { includes, texts } = sources.get(source) ?? { includes: new Set(), texts: [] };
    sources.set(source, { includes, texts });
    parts.flatMap(includesOf).forEach((include) => includes.add(include));
    texts.push(`namespace ${scope[0].page.replace(/\W+/g, '_')}_${scope[0].line} {\nusing namespace artel;\n` +
      `using namespace std::chrono_literals;\n${withoutIncludes(parts.join('\n'))}\n}\n`);
  }
}
for (const [name, { includes, texts }] of sources) {
  const text = `#include <chrono>\n#include "artel/core/error.hpp"\n${[...includes].sort().join('\n')}\n${texts.join('\n')}`;
  lines.push(`blocks ${write(`blocks_of_${name}.cpp`, text)}`);
}
console.log(lines.join('\n'));
process.exit(mistakes === 0 ? 0 : 1);
