#!/usr/bin/env node
// run_page.mjs --artel ARTEL --programs FOLDER PAGE: runs what the page shows, in its order and in one new folder. TOML goes through
// `artel check`, shell through bash with the command on PATH and `scenarios` beside it, programs as they were built in FOLDER; a
// block that is what the one before prints is compared. Prints what fails and exits 1.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { blocks, isProgram, programName, root, within } from './blocks.mjs';

const { values: { artel, programs }, positionals: [page] } = parseArgs({
  allowPositionals: true, options: { artel: { type: 'string' }, programs: { type: 'string' } } });
const folder = mkdtempSync(join(tmpdir(), 'artel-page-'));
const path = `${dirname(artel)}:${programs}:${process.env.PATH}`;
const kMostSeconds = 250;
let failures = 0;
let printed = '';

function fail(block, what) {
  console.error(`${block.page}:${block.line}: ${what}`);
  ++failures;
}

function run(block, command, args) {
  const { status, signal, stdout, stderr } = spawnSync(command, args,
    { cwd: folder, encoding: 'utf8', timeout: kMostSeconds * 1000, env: { ...process.env, PATH: path, TMPDIR: folder } });
  printed = stdout ?? '';
  if (status !== 0) fail(block, `ended with ${signal ?? status}\n${stdout}${stderr}`);
}

/** Whether `text` is what was printed; a line … stands for any number of lines. */
function agrees(text) {
  const escape = (part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const trimmed = (all) => all.split('\n').map((line) => line.trimEnd()).join('\n');
  return new RegExp(`^${trimmed(text).split(/^…\n/m).map(escape).join('[^]*')}$`).test(trimmed(printed));
}

function write(block, name, text) {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

cpSync(join(root, 'scenarios'), join(folder, 'scenarios'), { recursive: true });
symlinkSync(join(root, 'docs'), join(folder, 'docs'));
for (const block of blocks(page, (what) => { console.error(what); ++failures; })) {
  const { before, after } = within(block);
  const whole = `${before}\n${block.text}${after}\n`;
  if (block.prints) {
    if (!agrees(block.text)) fail(block, `is not what the block before prints:\n${printed}`);
    continue;
  }
  if (block.file) write(block, block.file, block.language === 'toml' ? whole : block.text);
  if (block.notRun || block.notCompiled || block.quotes) continue;
  if (isProgram(block)) run(block, join(programs, programName(block)), []);
  if (block.language === 'toml') {
    write(block, '.block.toml', whole);
    run(block, artel, ['check', '.block.toml']);
  }
  if (block.language === 'sh') run(block, 'bash', ['-euo', 'pipefail', '-c', whole]);
}
rmSync(folder, { recursive: true, force: true });
process.exit(failures === 0 ? 0 : 1);
