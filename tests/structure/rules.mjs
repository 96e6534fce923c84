// The rules. Each takes the tree and reports with found(file, line, what, rule?, subject?): what was found and what is allowed.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { api_page, is_public, namesakes, summary } from './api_page.mjs';
import { class_sizes, include_loops } from './class_rules.mjs';
import { comments, errors, members, threads_and_cost, units } from './doc_comments.mjs';
import { page_rules } from './page_rules.mjs';

const kFileLines = 400;
const kFunctionLines = 70;
const kVague = ['util', 'utils', 'common', 'helper', 'helpers', 'misc', 'manager', 'base', 'data', 'info'];

const sources = (tree) => tree.files.filter((file) => file.cpp);
const of_artel = (tree) => tree.files.filter((file) => file.cpp && file.path.startsWith('artel/'));

/** Calls back for each `#include "artel/…"`; in a page only includes count, not paths in prose. */
function each_include(file, use) {
  file.lines.forEach((text, at) => {
    const target = /^\s*#include "(artel\/[^"]+)"/.exec(text)?.[1];
    if (target) use(target, at + 1);
  });
}

/** A room includes only what layers.txt lists; every folder of artel/ belongs to a room. */
function arrows(tree, found) {
  for (const file of of_artel(tree)) {
    if (!file.room) {
      found(file, 1, 'belongs to no layer of layers.txt');
      continue;
    }
    each_include(file, (target, line) => {
      const other = tree.rooms.filter((room) => target.startsWith(`artel/${room.name}/`))
        .sort((a, b) => b.name.length - a.name.length)[0]?.name ?? '';
      if (other !== file.room.name && !file.room.allowed.includes(other))
        found(file, line, `layer ${file.room.name} may not include ${target} (allowed: ${file.room.allowed.join(' ')})`);
    });
  }
}

/** The inside of a room is seen by that room only: neither its headers nor its namespace. */
function insides(tree, found) {
  const houses = [...new Set(tree.rooms.map((room) => room.name.split('/')[0]))];
  const named = new RegExp(`\\b(${houses.join('|')})::(?:\\w+::)?detail::`);
  for (const file of tree.files) {
    const own = file.house ? `artel/${file.house}/detail/ alone` : 'public headers alone';
    if (file.cpp || file.path.endsWith('.md')) each_include(file, (target, line) => {
      if (target.includes('/detail/') && target.split('/')[1] !== file.house)
        found(file, line, `includes the inside of another room: ${target} (allowed: ${own})`, 'detail', file.path);
    });
    if (!file.cpp) continue;
    file.lines.forEach((text, at) => {
      const other = named.exec(text.replace(/\/\/.*$/, ''));
      if (other && other[1] !== file.house)
        found(file, at + 1, `names the inside of another room: ${other[0]} (allowed: ${own})`, 'detail', file.path);
    });
  }
}

/** What users can call or read in a public header names no type of detail/. */
function signatures(tree, found) {
  for (const file of tree.files.filter(is_public))
    for (const tag of file.tags) {
      if (!tag.open || tag.kind === 'namespace') continue;
      const within_class = tag.scope !== '' && !tag.outer;
      if (within_class && !tag.declared) continue;       // defined away from its class, which declares it
      const inside = /(?:\w+::)*\bdetail::\w+/.exec(`${tag.signature} ${tag.type}`);
      if (inside)
        found(file, tag.line, `${tag.full} shows ${inside[0]} (allowed: public types, \`auto\`, or a private member)`,
          'signature', tag.full);
    }
}

/** Sizes that can be read at one sitting. */
function sizes(tree, found) {
  for (const file of tree.files) {
    if (/\.md$/.test(file.path)) continue;
    if (file.lines.length > kFileLines)
      found(file, kFileLines + 1, `${file.lines.length} lines (allowed: ${kFileLines})`, 'size', file.path);
    for (const tag of file.tags)
      if (tag.kind === 'function' && tag.end - tag.line + 1 > kFunctionLines)
        found(file, tag.line, `${tag.name} has ${tag.end - tag.line + 1} lines (allowed: ${kFunctionLines})`, 'size', tag.full);
  }
}

/** Preconditions are `Requires:`. */
function preconditions(tree, found) {
  for (const file of sources(tree))
    file.lines.forEach((text, at) => {
      if (/\/\/.*\bShape:(?!:)/.test(text)) found(file, at + 1, 'a precondition called Shape: (allowed: Requires:)');
    });
}

/** File names: one meaning each, and one that says something. */
function file_names(tree, found) {
  const first = new Map();
  for (const file of of_artel(tree)) {
    const name = file.path.replace(/^.*\//, '');
    if (first.has(name)) found(file, 1, `two files of artel/ share this name: ${name}, also ${first.get(name)}`);
    else first.set(name, file.path);
    const vague = file.path.split(/[/.]/).find((part) => kVague.includes(part));
    if (vague) found(file, 1, `this name says nothing about what is inside: ${vague}`);
  }
}

/** A header is named after something that it holds, and a public one says what that is. */
function header_names(tree, found) {
  for (const file of of_artel(tree).filter((each) => each.header)) {
    if (namesakes(file).length === 0) {
      const held = [...new Set(file.tags.filter((tag) => tag.outer && tag.kind !== 'namespace').map((tag) => tag.name))];
      found(file, 1, `holds nothing of its name (it holds: ${held.slice(0, 6).join(', ')}${held.length > 6 ? ', …' : ''})`,
        'header', file.path);
    } else if (is_public(file) && summary(file) === '') {
      found(file, namesakes(file)[0].line, `${namesakes(file)[0].name} has no doc comment (allowed: one /// sentence at least)`);
    }
  }
}

const is_foreign = (tag) => tag.name.startsWith('__anon') || /^(std|fmt)(::|$)/.test(tag.scope);
/** `using Name = room::Name`: the same meaning. */
const is_import = (tag) => tag.kind === 'typedef' && tag.type.endsWith(`::${tag.name}`);

/** One meaning per word: a type's simple name is no type's in another header. */
function homonyms(tree, found) {
  const holders = new Map();                       // simple name -> tags of types
  for (const file of of_artel(tree).filter((each) => each.header))
    for (const tag of file.tags)
      if (tag.is_type && !tag.local && !tag.specialization && !is_foreign(tag) && !is_import(tag))
        holders.set(tag.name, [...(holders.get(tag.name) ?? []), tag]);
  for (const [name, tags] of holders)
    for (const tag of tags) {
      const others = tags.filter((each) => each.file !== tag.file).map((each) => `${each.full}, ${each.file.path}:${each.line}`);
      if (tag.outer && others.length > 0)
        found(tag.file, tag.line, `the type name ${name} is taken: ${others.join('; ')} (allowed: one meaning per word)`,
          'homonym', name);
    }
}

/** Sources of a room are compiled in batches, where a name in a namespace without one stands for one thing. */
function batches(tree, found) {
  const holders = new Map();                       // place and name -> the first file that has it
  for (const file of tree.files.filter((each) => /^(artel|app)\/.*\.cpp$/.test(each.path) && !/_test\.cpp$/.test(each.path)))
    for (const tag of file.tags) {
      if (!/(^|::)__anon\w+$/.test(tag.scope) || !['variable', 'function', 'class', 'struct', 'enum'].includes(tag.kind)) continue;
      const place = `${file.room?.name ?? 'app'} ${tag.scope.replace(/__anon\w+$/, '')}`;
      const key = `${place} ${tag.name} ${tag.signature.replace(/([\s&*])\w+(?=\s*[,)=])/g, '$1')}`;   // without the names of parameters
      const first = holders.get(key) ?? file;
      holders.set(key, first);
      if (first !== file) found(file, tag.line, `${tag.name} is in ${first.path}, too (allowed: one of a name among what a room hides)`);
    }
}

/** Rooms say what they are for, and docs/api.md is what the headers say. */
function api(tree, found) {
  for (const room of tree.rooms)
    if (!room.purpose) found({ path: 'layers.txt' }, 1, `nothing says what the room ${room.name} is for (allowed: a comment right above)`);
  const page = join(tree.root, 'docs/api.md');
  if (!existsSync(page) || readFileSync(page, 'utf8') !== api_page(tree))
    found({ path: 'docs/api.md' }, 1, 'is not what the headers say (./dev docs writes it anew)');
}

/** Exceptions say why, and end when nothing needs them. Runs last. */
function exceptions(tree, found) {
  for (const entry of tree.allowed) {
    if (!entry.why) found(entry, entry.line, 'an exception without a reason (allowed: rule | what | why)');
    if (!entry.used) found(entry, entry.line, `nothing needs this exception: ${entry.rule} | ${entry.what}`);
  }
}

const kRules = [arrows, insides, signatures, sizes, preconditions, file_names, header_names, comments, members, errors, threads_and_cost, units, homonyms, batches, class_sizes, include_loops, api, ...page_rules, exceptions];

/** What the rules say about a tree, a line each. */
export function findings_in(tree) {
  const findings = [];
  const found = (file, line, what, rule, subject) => {
    const exception = tree.allowed.find((entry) => entry.rule === rule && entry.what === subject);
    if (exception) exception.used = true;
    else findings.push(`${file.path}:${line}: ${what}`);
  };
  for (const rule of kRules) rule(tree, found);
  return findings;
}
