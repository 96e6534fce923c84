// Rules for pages: what they name is there, and readers find them.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The table "What to read first": | `room` | public headers | those of its inside |. Each is where its column says. */
function reading_table(tree, found) {
  const page = { path: 'ARCHITECTURE.md' };
  if (!existsSync(join(tree.root, page.path))) return;
  readFileSync(join(tree.root, page.path), 'utf8').split('\n').forEach((text, at) => {
    const [room, ...columns] = text.split('|').slice(1, 4);
    const name = /^ *`([\w/]+)` *$/.exec(room ?? '')?.[1];
    if (!name || !tree.rooms.some((each) => each.name === name)) return;
    const folders = [`artel/${name}`, `artel/${name}/detail`];
    columns.forEach((column, number) => {
      for (const [, header] of column.matchAll(/`(\w+\.hpp)`/g))
        if (!existsSync(join(tree.root, folders[number], header)))
          found(page, at + 1, `${folders[number]}/${header} is not there (allowed: headers of the room, public ones first)`);
    });
  });
}

/** Every guide is in the menu of the site. */
function menu(tree, found) {
  const config = join(tree.root, 'web/site/config.mjs');
  if (!existsSync(config)) return;
  const links = new Set([...readFileSync(config, 'utf8').matchAll(/page\("[^"]*", "([^"]+)"\)/g)].map((match) => match[1]));
  for (const file of tree.files) {
    const guide = /^docs\/((?:tutorials\/|coming-from\/)?[\w.-]+)\.md$/.exec(file.path)?.[1];
    if (guide && !guide.endsWith('README') && !links.has(guide)) found(file, 1, 'is not in the menu of the site (web/site/config.mjs)');
  }
}

export const page_rules = [reading_table, menu];
