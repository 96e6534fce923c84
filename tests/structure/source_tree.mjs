// What the rules look at: the rooms of layers.txt, the sources with their lines, and what universal-ctags finds in them.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const kFolders = ['artel', 'app', 'bench', 'docs', 'examples', 'python', 'tests', 'web'];
const kKept = /\.(hpp|h|cpp|css|js|md|mjs|py|pyi|sh)$/;

const kTypes = new Set(['class', 'struct', 'union', 'enum', 'typedef', 'concept']);
const kCallables = new Set(['function', 'prototype']);

/** Every file under `folder` whose name a rule asks for, in the order of names. */
function walk(root, folder, found) {
  for (const name of readdirSync(join(root, folder)).sort()) {
    const path = `${folder}/${name}`;
    if (statSync(join(root, path)).isDirectory()) {
      if (name !== 'node_modules' && name !== 'out') walk(root, path, found);
    } else if (kKept.test(name)) {
      found.push(path);
    }
  }
}

/** The lines of layers.txt: name, what it may include, and what it is for (the comment right above). */
function read_rooms(root) {
  const rooms = [];
  let purpose = '';
  for (const line of readFileSync(join(root, 'layers.txt'), 'utf8').split('\n')) {
    const parts = /^([a-z][a-z/_]*)\s*:(.*)$/.exec(line);
    if (parts) rooms.push({ name: parts[1], allowed: parts[2].trim().split(/\s+/).filter(Boolean), purpose });
    purpose = line.startsWith('# ') ? line.slice(2) : '';
  }
  return rooms;
}

/** The exceptions: `rule | what | why`, each with its line, so that one that nothing needs is found. */
function read_allowed(root) {
  const path = 'tests/structure/allowed.txt';
  if (!existsSync(join(root, path))) return [];
  return readFileSync(join(root, path), 'utf8').split('\n').flatMap((text, at) => {
    const [rule, what, why] = text.split('|').map((part) => part.trim());
    return text.startsWith('#') || !text.trim() ? [] : [{ path, line: at + 1, rule, what, why, used: false }];
  });
}

/**
 * The text without the parameter lists of templates, every line where it was: ctags 5.9 loses the declaration behind
 * some that constrain their parameters.
 */
function without_template_lists(text) {
  let plain = '';
  let from = 0;
  for (const { index } of text.matchAll(/\btemplate\s*</g)) {
    if (index < from) continue;                     // a template among the parameters
    let at = text.indexOf('<', index);
    for (let angles = 0, parens = 0; at < text.length; ++at) {
      if (text[at] === '(') ++parens;
      else if (text[at] === ')') --parens;
      else if (parens === 0 && text[at] === '<') ++angles;
      else if (parens === 0 && text[at] === '>' && --angles === 0) break;
    }
    plain += text.slice(from, index) + text.slice(index, at + 1).replace(/[^\n]/g, ' ');
    from = at + 1;
  }
  return plain + text.slice(from);
}

/** What ctags finds in the files, from copies that it understands. */
function run_ctags(files) {
  if (files.length === 0) return [];
  const copies = mkdtempSync(join(tmpdir(), 'structure-tags'));
  try {
    for (const file of files) {
      mkdirSync(join(copies, dirname(file.path)), { recursive: true });
      writeFileSync(join(copies, file.path), without_template_lists(`${file.lines.join('\n')}\n`));
    }
    const text = execFileSync('ctags', ['--quiet', '--options=NONE', '--output-format=json', '--sort=no', '--languages=C++',
      '--map-C++=+.hpp', '--map-C++=+.h', '--kinds-C++=+p', '--fields=+neKSatZ-P', '--fields-C++=+{specialization}', '-L', '-', '-f', '-'],
      { cwd: copies, input: files.map((file) => file.path).join('\n'), encoding: 'utf8', maxBuffer: 1 << 28 });
    return text.split('\n').filter(Boolean).map((line) => JSON.parse(line)).filter((tag) => tag._type === 'tag');
  } finally {
    rmSync(copies, { recursive: true });
  }
}

/** ctags 5.9 has no word for concepts; they always stand at namespace scope here. */
function concepts_of(file) {
  return file.lines.flatMap((text, at) => {
    const found = /^\s*concept\s+(\w+)/.exec(text);
    return found ? [{ name: found[1], kind: 'concept', line: at + 1, end: at + 1, scope: '', scopeKind: 'namespace' }] : [];
  });
}

/**
 * One tag as the rules read it. `outer` is true at namespace scope, `open` where users can name it: no namespace
 * `detail` or without a name around it, and neither it nor a class around it private.
 */
function describe(file, raw, hidden) {
  const scope = raw.scope ?? '';
  const full = scope ? `${scope}::${raw.name}` : raw.name;
  const inside = (raw.scopeKind ?? 'namespace') === 'namespace';
  const local = raw.scopeKind === 'function';
  const shut = raw.access === 'private' || hidden.has(scope);
  if (shut && kTypes.has(raw.kind)) hidden.add(full);
  return {
    file, full, scope, name: raw.name, kind: raw.kind, line: raw.line, end: raw.end ?? raw.line,
    signature: raw.signature ?? '', type: raw.typeref ?? '', specialization: 'specialization' in raw,
    declared: raw.access !== undefined,                 // in the body of its class, not away from it
    outer: inside && !scope.includes('__anon'),
    local, open: !shut && !local && !/(^|::)detail(::|$)/.test(scope) && !/(^|::)detail$/.test(full) && !scope.includes('__anon'),
    is_type: kTypes.has(raw.kind), is_callable: kCallables.has(raw.kind),
  };
}

/** The room of layers.txt with the longest path that holds `path`, or undefined. */
function room_of(rooms, path) {
  return rooms.filter((room) => path.startsWith(`artel/${room.name}/`))
    .sort((a, b) => b.name.length - a.name.length)[0];
}

/** Reads all that the rules need of the tree at `root`. */
export function read_tree(root) {
  const rooms = read_rooms(root);
  const paths = existsSync(join(root, 'README.md')) ? ['README.md'] : [];
  for (const folder of kFolders) if (existsSync(join(root, folder))) walk(root, folder, paths);
  const files = paths.map((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    return {
      path, lines: text.replace(/\n$/, '').split('\n'), tags: [], room: room_of(rooms, path),
      house: path.startsWith('artel/') ? path.split('/')[1] : '',       // the folder that shares one detail/
      cpp: /\.([hc]pp|h)$/.test(path), header: /\.h(pp)?$/.test(path), inside: path.includes('/detail/'),
    };
  });
  const by_path = new Map(files.map((file) => [file.path, file]));
  const hidden = new Map(files.map((file) => [file, new Set()]));
  const add = (file, raw) => file.tags.push(describe(file, raw, hidden.get(file)));
  for (const raw of run_ctags(files.filter((file) => file.cpp)))
    add(by_path.get(raw.path), raw);
  for (const file of files) if (file.header) for (const raw of concepts_of(file)) add(file, raw);
  return { root, rooms, files, allowed: read_allowed(root) };
}
