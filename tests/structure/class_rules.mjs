// How large a class may be over all of its files, and which modules may include one another in a circle.

const kFunctions = 30;
const kMembers = 20;
const kBodyLines = 400;

const is_source = (file) => file.cpp && /^artel\//.test(file.path) && !/_test\.cpp$/.test(file.path);

/** Every class with its functions (overloads count once), members and the lines of its functions, wherever they are defined. */
function classes_of(tree) {
  const classes = new Map();
  const files = tree.files.filter(is_source);
  for (const file of files)
    for (const tag of file.tags)
      if ((tag.kind === 'class' || tag.kind === 'struct') && tag.end > tag.line)
        classes.set(tag.full, { file, tag, functions: new Set(), members: 0, lines: 0 });
  for (const file of files)
    for (const tag of file.tags) {
      const owner = classes.get(tag.scope);
      if (!owner) continue;
      if (tag.kind === 'member') ++owner.members;
      if (tag.is_callable) owner.functions.add(tag.name);
      if (tag.kind === 'function') owner.lines += tag.end - tag.line + 1;
    }
  return classes;
}

/** The bound that allowed.txt sets in place of the usual one: `class | artel::x::Y 35 functions | why`. */
function bound_of(tree, full, what, usual) {
  for (const entry of tree.allowed) {
    const parts = /^(\S+) (\d+) (\w+)$/.exec(entry.what);
    if (entry.rule !== 'class' || !parts || parts[1] !== full || parts[3] !== what) continue;
    entry.used = true;
    return { most: Number(parts[2]), entry };
  }
  return { most: usual, entry: undefined };
}

/** A class can be understood as a whole. A struct without functions elsewhere is a table, and may have any number of members. */
export function class_sizes(tree, found) {
  for (const [full, { file, tag, functions, members, lines }] of classes_of(tree)) {
    const check = (what, count, usual) => {
      const { most, entry } = bound_of(tree, full, what, usual);
      if (count > most) found(file, tag.line, `${full} has ${count} ${what} over all its files (allowed: ${most})`);
      // A bound may only fall: what a class has become smaller by, it does not get back.
      if (entry && count <= Math.max(usual, most * 0.95))
        found(entry, entry.line, `${full} has only ${count} ${what} (allowed: ${count > usual ? `a bound of ${count}` : 'no exception'})`);
    };
    check('functions', functions.size, kFunctions);
    if (tag.kind === 'class') check('members', members, kMembers);
    check('lines', lines, kBodyLines);
  }
}

/** The modules, a header and its source as one, each with the modules that it includes. */
function modules_of(tree) {
  const modules = new Map();
  const name_of = (path) => path.replace(/^artel\//, '').replace(/\.[hc]pp$/, '');
  for (const file of tree.files.filter(is_source)) {
    const name = name_of(file.path);
    if (!modules.has(name)) modules.set(name, { file, includes: new Set() });
    const module = modules.get(name);
    if (file.header) module.file = file;
    for (const text of file.lines) {
      const target = /^\s*#include "(artel\/[^"]+)"/.exec(text)?.[1];
      if (target && name_of(target) !== name) module.includes.add(name_of(target));
    }
  }
  return modules;
}

/** Tarjan's strongly connected components of more than one module, each sorted. */
function circles_of(modules) {
  const number = new Map();
  const lowest = new Map();
  const open = [];
  const circles = [];
  const visit = (name) => {
    number.set(name, number.size);
    lowest.set(name, number.get(name));
    open.push(name);
    for (const next of modules.get(name).includes) {
      if (!modules.has(next)) continue;
      if (!number.has(next)) visit(next);
      if (open.includes(next)) lowest.set(name, Math.min(lowest.get(name), lowest.get(next)));
    }
    if (lowest.get(name) !== number.get(name)) return;
    const circle = open.splice(open.indexOf(name)).sort();
    if (circle.length > 1) circles.push(circle);
  };
  for (const name of modules.keys()) if (!number.has(name)) visit(name);
  return circles;
}

/** Of two modules at most one includes the other, over any number of steps. */
export function include_loops(tree, found) {
  const modules = modules_of(tree);
  for (const circle of circles_of(modules))
    found(modules.get(circle[0]).file, 1, `${circle.length} modules include one another in a circle: ${circle.join(' ')} (allowed: none)`,
      'loop', circle.join(' '));
}
