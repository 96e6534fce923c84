// docs/api.md: every public header with the first sentence of what it says about the thing that it is named after.

/** A file's or a name's letters alone: `task_queue`, `TaskQueue`, `kTaskQueue` and `ARTEL_TASK_QUEUE` are one word. */
const word = (name) => name.replace(/^ARTEL_|^k(?=[A-Z])/, '').replaceAll('_', '').toLowerCase();

/** What the header is named after: all tags at namespace scope with its name. */
export function namesakes(file) {
  const wanted = word(file.path.replace(/^.*\/|\.h(pp)?$/g, ''));
  return file.tags.filter((tag) => (tag.outer || tag.kind === 'macro') && tag.kind !== 'namespace' && word(tag.name) === wanted);
}

/** The doc comment above a declaration, without its slashes; '' where there is none. */
export function doc_comment(file, tag) {
  let at = tag.line - 2;                                              // the line above, counted from 0
  const above = /^\s*(template|requires|\[\[|inline|constexpr|concept|typename|class|&&|\|\|)|[>)]$/;
  while (at >= 0 && !/^\s*\/\/\//.test(file.lines[at]) && above.test(file.lines[at])) --at;
  let first = at;
  while (first >= 0 && /^\s*\/\/\//.test(file.lines[first])) --first;
  return file.lines.slice(first + 1, at + 1).map((line) => line.replace(/^\s*\/\/\/ ?/, '')).join('\n');
}

/** The first sentence of a doc comment; a colon before a list or code ends it too. */
function first_sentence(text) {
  const paragraph = text.split(/\n\s*\n|\n```|\n\s*(?:-|[A-Z]\d|Requires:|Cost:|Threads:|Errors:)\s/)[0].replace(/\s+/g, ' ').trim();
  const sentence = /^.*?\.(?=\s+[A-Z`(]|$)/.exec(paragraph)?.[0] ?? paragraph;
  return sentence.replace(/[.:;]$/, '');
}

/** The sentence for the page, '' where the thing that the header is named after has no doc comment. */
export function summary(file) {
  for (const tag of namesakes(file)) {
    const text = first_sentence(doc_comment(file, tag));
    if (text) return shown(text);
  }
  return '';
}

// As Markdown, where `<` outside of code begins a tag.
const shown = (text) => text.split('`').map((part, i) => (i % 2 === 0 ? part.replaceAll('<', '\\<') : part)).join('`');

export const is_public = (file) => file.header && file.room !== undefined && !file.inside;

/** The whole page. */
export function api_page(tree) {
  const text = ['# Public headers', '',
    'What users include, by room, lowest rooms first. What is in a `detail/` folder may change at any time.', '',
    '<!-- Written by ./dev docs from the doc comments; the tests refuse a page that differs. -->'];
  for (const room of tree.rooms) {
    const headers = tree.files.filter((file) => is_public(file) && file.room === room);
    if (headers.length === 0) continue;
    text.push('', `## ${room.name}`, room.purpose, '');
    for (const file of headers) text.push(`- [\`${file.path.slice('artel/'.length)}\`](../${file.path}): ${summary(file)}`);
  }
  return `${text.join('\n')}\n`;
}
