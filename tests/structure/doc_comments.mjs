// What a public header declares is explained by a doc comment: everything at namespace scope, and what a class shows.
import { doc_comment, is_public, namesakes } from './api_page.mjs';

/**
 * What these mean everywhere: how many there are, whether there are none, the range of them, what messages and tables call it;
 * what a co_await of it gives.
 */
const kUsual = ['size', 'empty', 'begin', 'end', 'name', 'take'];

/** Whether a comment stands behind the name, or above it, with nothing between but more of its kind. */
function has_comment(tag) {
  const lines = tag.file.lines;
  if (lines[tag.line - 1].includes('///<')) return true;
  let at = tag.line - 2;
  while (at >= 0 && !/^\s*(\/\/.*|.*[{}];?|)$/.test(lines[at])) --at;
  return at >= 0 && /^\s*\/\/\//.test(lines[at]);
}

/** Whatever a public header declares outside of a class is explained; of functions of one name and room, one of them. */
export function comments(tree, found) {
  const named = (tag) => tag.open && tag.outer && !tag.specialization && !/^operator\b/.test(tag.name) &&
    (tag.is_type || tag.is_callable || tag.kind === 'variable') && !/(^|::)[A-Z]\w*$/.test(tag.scope);
  const key = (tag) => `${tag.file.room.name} ${tag.full}`;
  const tags = tree.files.filter(is_public).flatMap((file) => file.tags.filter(named));
  const explained = new Set(tags.filter(has_comment).map(key));
  for (const tag of tags)
    if (!explained.has(key(tag)) && namesakes(tag.file)[0] !== tag)      // of those, header_names() tells
      found(tag.file, tag.line, `${tag.name} has no doc comment (allowed: one /// sentence at least)`);
}

/** The declaration as far as the end of the line where it or its body's opening ends, and the comment above or behind it. */
function read(tag) {
  const lines = tag.file.lines;
  let end = tag.line - 1;
  while (!/[;{},]\s*(\/\/.*)?$/.test(lines[end]) && end < tag.end + 2) ++end;
  const text = lines.slice(tag.line - 1, end + 1).join('\n');
  return { declaration: text.replace(/\/\/.*/g, ''), comment: `${doc_comment(tag.file, tag)}\n${text.split('///<')[1] ?? ''}`.trim() };
}

/** `ChunkAddress chunk`: the type's own comment says what it is. Times and numbers say nothing of the kind. */
function is_named_by_type(tag) {
  const type = /((?:\w+::)*)([A-Z]\w*)[\s&*]*$/.exec(tag.type)?.[2];
  if (tag.kind !== 'member' || !type || /^(Duration|Instant)$/.test(type)) return false;
  return type.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase().includes(tag.name);
}

/**
 * What a class shows is explained where it stands, or by a comment of the class, of another member or of an overload that names it
 * (`field`, `function()`), by the function of its namespace with its name, by the class that it overrides, or by its type.
 */
export function members(tree, found) {
  const shown = (tag) => tag.open && !tag.outer && tag.declared && tag.kind !== 'typedef' && !tag.specialization && !tag.name.startsWith('__anon');
  const headers = tree.files.filter(is_public);
  const free = new Set(headers.flatMap((file) => file.tags.filter((tag) => tag.open && tag.outer && tag.is_callable)).map((tag) => tag.full));
  for (const file of headers) {
    const texts = new Map();                        // the class -> all that its comments say
    const say = (scope, text) => texts.set(scope, `${texts.get(scope) ?? ''}\n${text}`);
    for (const tag of file.tags) if (tag.is_type && tag.kind !== 'typedef') say(tag.full, doc_comment(file, tag));
    const tags = file.tags.filter(shown).map((tag) => ({ tag, ...read(tag) }));
    const explained = new Set(tags.filter(({ comment }) => comment).map(({ tag }) => tag.full));
    for (const { tag, comment } of tags) say(tag.scope, comment);
    for (const { tag, declaration } of tags) {
      const name = tag.name.replace('~', ''), around = tag.scope.replace(/::[A-Z].*$/, '');
      if (name === tag.scope.replace(/^.*::/, '') || /^operator\b/.test(name) || kUsual.includes(name)) continue;
      if (/\boverride\b|= (default|delete)/.test(declaration) || free.has(`${around}::${name}`) || is_named_by_type(tag)) continue;
      const mention = new RegExp(`\\b${name}\\b${tag.is_callable ? '\\(' : ''}`);
      if (explained.has(tag.full) || mention.test(texts.get(tag.scope) ?? '')) continue;
      found(file, tag.line, `${tag.full} has no doc comment (allowed: CONTRIBUTING.md, Doc comments)`);
    }
  }
}

/** A declaration without its body or initialiser, from the line of its name on. */
function head(tag) {
  return tag.file.lines.slice(tag.line - 1, tag.line + 7).join(' ').split(/[;{]/)[0];
}

/** What the doc comments of each name of a public header say: those of all overloads, and of neighbours that name it: `name()`. */
function said_in(file) {
  const said = new Map();
  const say = (name, text) => said.set(name, `${said.get(name) ?? ''}\n${text}`);
  for (const tag of file.tags) {
    const text = doc_comment(file, tag);
    say(tag.full, text);
    for (const [, other] of text.matchAll(/(?<!::|\w)(\w+)\(\)/g)) if (other !== tag.name) say(`${tag.scope}::${other}`, text);
  }
  return (name) => said.get(name) ?? '';
}

/** Whoever is given a Result is told which errors come: by the function's comment, one that names it, or the class's. */
export function errors(tree, found) {
  for (const file of tree.files.filter(is_public)) {
    const said = said_in(file);
    for (const tag of file.tags) {
      const fails = tag.is_callable && tag.open && (tag.outer || tag.declared) && /(^|\W)Result</.test(tag.type);
      if (fails && !/\boverride\b/.test(head(tag)) && !/\bErrors:/.test(said(tag.full) + said(tag.scope)))
        found(file, tag.line, `${tag.full} does not say which errors there are (allowed: Errors: …)`);
    }
  }
}

/**
 * A class that keeps something and changes says which threads may use it, and what it costs. Not those inside of another class, nor what
 * a co_await makes (take()), nor whose changes are all explained where they are overridden from.
 */
export function threads_and_cost(tree, found) {
  for (const file of tree.files.filter(is_public)) {
    const said = said_in(file);
    for (const tag of file.tags) {
      if (!tag.open || !tag.outer || !['class', 'struct'].includes(tag.kind) || tag.specialization) continue;
      const own = file.tags.filter((each) => each.scope === tag.full);
      const keeps = own.some((each) => each.kind === 'member' && !each.open);
      const changes = own.some((each) => each.open && each.declared && each.is_callable && each.name !== tag.name &&
        !/^(~|operator\b)/.test(each.name) && !/\)\s*const\b|\boverride\b/.test(head(each)) &&
        !/\bstatic\b/.test(file.lines[each.line - 1]));
      if (!keeps || !changes || own.some((each) => each.name === 'take')) continue;
      if (!/\bThreads:/.test(said(tag.full)))
        found(file, tag.line, `${tag.full} does not say which threads may use it (allowed: Threads: …)`);
      if (!/\b(Cost|Memory):/.test(said(tag.full) + own.filter((each) => each.open).map((each) => said(each.full)).join()))
        found(file, tag.line, `${tag.full} does not say what it costs (allowed: Cost: …, Memory: …)`);
    }
  }
}

const kQuantity = /(^|_)(time|delay|timeout|period|interval|latency|deadline|age|patience|backoff|duration|memory)$/;
const kUnit = /\b(ns|us|ms|nanoseconds|microseconds|milliseconds|seconds?|minutes|hours|bytes|share)\b/;

/** A plain number for a time or for memory says its unit, by its name or in words; a Duration has one. */
export function units(tree, found) {
  for (const file of tree.files.filter(is_public)) {
    const said = said_in(file);
    const number = /\b(?:double|float|int|unsigned|(?:std::)?(?:size_t|u?int(?:32|64)_t))\s+(\w+)/g;
    for (const tag of file.tags.filter((each) => each.open)) {
      const shown = tag.is_callable ? tag.signature : tag.kind === 'member' ? `${tag.type.replace(/^typename:/, '')} ${tag.name}` : '';
      for (const [, name] of shown.matchAll(number))
        if (kQuantity.test(name) && !kUnit.test(`${said(tag.full)} ${said(tag.scope)} ${file.lines[tag.line - 1].split('//')[1] ?? ''}`))
          found(file, tag.line, `${tag.full}: nothing says the unit of ${name} (allowed: Duration, ${name}_ns, or the unit in the comment)`);
    }
  }
}
