// The code blocks of the pages, and what the comments right above them say about each:
//   <!-- FILE: NAME -->      it is what stands in FILE between // [NAME] and // [/NAME] (tests/structure/check_quotes.mjs)
//   <!-- setup: CODE -->     hidden lines before it; a line ... in them is where the block goes, to have some behind it, too
//   <!-- goes on -->         C++: it stands in the same scope as the block before
//   <!-- file: NAME -->      it is written to NAME in the page's folder; a program is called so
//   <!-- prints -->          it is what the block before prints, or lines of that, in order, if there is a line … in it
//   <!-- not run: WHY -->    C++ is compiled all the same, the rest is left alone
//   <!-- not compiled: WHY -->
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** What is told of a block, in the order of a reader's questions; `tested` says which languages have to be, `shown` which cannot. */
const kTested = ['cpp', 'toml', 'sh'];
const kShown = ['text', 'c', 'cmake', 'json', 'csv', 'ini', 'yaml', 'python', 'html'];
const kComment = /^<!-- (?:(setup|file|not run|not compiled):|(goes on|prints)$|(\S+\.\w+): (\w+)$)\s*([^]*)$/;

/** README.md and all pages below docs/, seen from the root. */
export function pages() {
  const below = (folder) => readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? below(path) : path.endsWith('.md') && path !== 'docs/api.md' ? [path] : [];
  });
  return ['README.md', ...below('docs').sort()];
}

function readComment(text, block, problem) {
  const found = text.replace(/\s*-->$/, '').match(kComment);
  if (!found) return problem(`what is this comment above a block to say? ${text.split('\n')[0]}`);
  const [, named, alone, file, part, rest] = found;
  if (file) block.quotes = { file, part };
  else if (named === 'setup') block.setup = rest;
  else if (named === 'file') block.file = rest;
  else if (named) {
    if (rest.length < 8) problem(`'${named}' needs a reason`);
    block[named === 'not run' ? 'notRun' : 'notCompiled'] = rest;
  } else block[alone === 'prints' ? 'prints' : 'goesOn'] = true;
}

/** The blocks of a page: language, text, line of the first line of text, what the comments say. */
export function blocks(page, problem) {
  const lines = readFileSync(join(root, page), 'utf8').split('\n');
  const found = [];
  let comments = [];
  for (let i = 0; i < lines.length; ++i) {
    const fence = lines[i].match(/^( *)(```+)(\S*)(.*)$/);
    if (lines[i].startsWith('<!-- ')) {
      const from = i;
      while (!lines[i].endsWith('-->') && i + 1 < lines.length) ++i;
      comments.push(lines.slice(from, i + 1).join('\n'));
    } else if (fence) {
      const from = i + 1;
      const end = fence[1] + fence[2];
      while (++i < lines.length && lines[i] !== end);
      const block = { page, line: from + 1, language: fence[3],
        text: lines.slice(from, i).map((line) => `${line.slice(fence[1].length)}\n`).join('') };
      const complain = (what) => problem(`${page}:${from}: ${what}`);
      comments.forEach((comment) => readComment(comment, block, complain));
      if (![...kTested, ...kShown].includes(block.language)) {
        complain(`a block in '${block.language}'; there are ${[...kTested, ...kShown].join(', ')}`);
      }
      found.push(block);
      comments = [];
    } else if (lines[i].trim() !== '') comments = [];
    else comments = [];
  }
  return found;
}

/** The block within its hidden lines: before it and behind it. */
export function within(block) {
  const lines = (block.setup ?? '').split('\n');
  const here = lines.findIndex((line) => line.trim() === '...');
  if (here < 0) return { before: lines.join('\n'), after: '' };
  return { before: lines.slice(0, here).join('\n'), after: lines.slice(here + 1).join('\n') };
}

/** Whether a block of C++ is a program of its own. */
export const isProgram = (block) =>
  block.language === 'cpp' && /^int main\(/m.test(block.text + (block.setup ?? '')) && !block.notRun && !block.notCompiled && !block.quotes;

/** What a program is called, by the file that the page gives it or its place on the page. */
export const programName = (block) =>
  (block.file ?? `${block.page.replace(/\.md$/, '')}_${block.line}`).replace(/\.cpp$/, '').replace(/\W+/g, '_').toLowerCase();

export const fromRoot = (path) => relative(root, path);
