#!/usr/bin/env node
// The structure check finds what it is there to find: a small sound tree, then one mistake of each kind in it.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { api_page } from './api_page.mjs';
import { findings_in } from './rules.mjs';
import { read_tree } from './source_tree.mjs';

const check = join(dirname(fileURLToPath(import.meta.url)), 'check_structure.mjs');
const tree = mkdtempSync(join(tmpdir(), 'structure'));
process.on('exit', () => rmSync(tree, { recursive: true }));

function write(path, text) {
  mkdirSync(dirname(join(tree, path)), { recursive: true });
  writeFileSync(join(tree, path), text);
}

const sound = {
  'layers.txt': '# What is low.\nlow :\n# What is high.\nhigh/inner : low\n# Beside it.\nhigh/outer : high/inner\n',
  'docs/page.md': 'See `artel/low/detail/gear.hpp`.\n',
  'artel/low/engine.hpp': `#pragma once
#include "artel/low/detail/gear.hpp"
namespace artel::low {
/// Turns. Always.
class Engine {
 public:
  Engine() = default;
  struct Item {};  ///< Of many.

 private:
  void mesh(detail::Gear gear);
  struct Part { detail::Gear gear; };
  detail::Gear gear_;
};
namespace detail {
inline Gear spare(Gear gear) { return gear; }
}
}  // namespace artel::low
`,
  'artel/low/detail/gear.hpp': 'namespace artel::low::detail {\nstruct Gear { struct Item {}; };\n}\n',
  'artel/low/turn_limit.hpp': '/// The most turns.\ninline constexpr int kTurnLimit = 3;\n',
  'artel/low/checked.hpp': '/// Tests <it>, `a<b>`.\n#define ARTEL_CHECKED(x) (x)\n',
  'artel/low/movable.hpp': 'namespace artel::low {\n/// It moves.\ntemplate <class T>\nconcept Movable = requires(T t) { t.move(); };\n}\n',
  'artel/high/inner/detail/boiler.hpp': 'namespace artel::high::detail {\nstruct Boiler {};\n}\n',
  'artel/high/outer/train.hpp': `#include "artel/high/inner/detail/boiler.hpp"
namespace artel::high {
/// Runs.
struct Train {};
using artel::low::Engine;
}
`,
};

let failed = 0;
function fail(text) {
  console.log(text);
  failed = 1;
}

/** With these files in the tree the check says just this, once for each text. */
function expect(files, ...findings) {
  for (const [path, text] of Object.entries(files)) write(path, text);
  if (!Object.hasOwn(files, 'docs/api.md')) write('docs/api.md', api_page(read_tree(tree)));
  const lines = findings_in(read_tree(tree));
  for (const finding of findings)
    if (!lines.some((line) => line.startsWith(finding))) fail(`expected: ${finding}\n     got: ${lines.join('\n          ')}`);
  if (lines.length !== findings.length) fail(`expected ${findings.length} findings, got:\n${lines.join('\n')}`);
  for (const path of Object.keys(files)) rmSync(join(tree, path));
  for (const [path, text] of Object.entries(sound)) write(path, text);
}

for (const [path, text] of Object.entries(sound)) write(path, text);
expect({});

// Arrows and the names of files.
expect({ 'artel/low/pull.cpp': '\n#include "artel/high/outer/train.hpp"\n' },
  'artel/low/pull.cpp:2: layer low may not include artel/high/outer/train.hpp (allowed: )');
expect({ 'artel/stray/lost.cpp': '' }, 'artel/stray/lost.cpp:1: belongs to no layer of layers.txt');
expect({ 'artel/high/inner/engine.hpp': '/// An engine.\nvoid engine();\n' },
  'artel/low/engine.hpp:1: two files of artel/ share this name: engine.hpp, also artel/high/inner/engine.hpp');
expect({ 'artel/low/utils.hpp': '/// Words.\nvoid utils();\n' },
  'artel/low/utils.hpp:1: this name says nothing about what is inside: utils');

// The inside of a room, by its headers and by its namespace; everywhere but in its own room.
const gear = '#include "artel/low/detail/gear.hpp"\n';
const gear_shut = (path, line) => `${path}:${line}: includes the inside of another room: artel/low/detail/gear.hpp (allowed: `;
expect({ 'artel/high/inner/boil.cpp': gear }, gear_shut('artel/high/inner/boil.cpp', 1));
for (const path of ['examples/one/main.cpp', 'app/main.cpp', 'bench/one/main.cpp', 'tests/package/main.cpp', 'docs/page.md', 'README.md'])
  expect({ [path]: `\n${gear}` }, gear_shut(path, 2));
expect({ 'artel/high/inner/boil.cpp': '// low::detail::Gear\nlow::detail::Gear gear;\n' },
  'artel/high/inner/boil.cpp:2: names the inside of another room: low::detail:: (allowed: artel/high/detail/ alone)');

// What a public header shows.
const shows = (text, ...findings) => expect({ 'artel/low/shown.hpp': `namespace artel::low {\n/// Is shown: gear, turn().\n${text}\n}\n` },
  ...findings.map(([line, what]) => `artel/low/shown.hpp:${line}: artel::low::${what} (allowed: public types`));
shows('void shown(const detail::Gear& gear);', [3, 'shown shows detail::Gear']);
shows('auto shown(int teeth) -> detail::Gear;', [3, 'shown shows detail::Gear']);
shows('template <class T>\ndetail::Gear shown(T) { return {}; }', [4, 'shown shows detail::Gear']);
shows('template <Movable E, std::ranges::input_range Range, class T, class Fold>\n[[nodiscard]] T shown(E& e, detail::Gear&& gear) {}', [4, 'shown shows detail::Gear']);
shows('class Shown {\n public:\n  low::detail::Gear gear;\n};', [5, 'Shown::gear shows low::detail::Gear']);
shows('class Shown {\n protected:\n  explicit Shown(detail::Gear gear);\n};', [5, 'Shown::Shown shows detail::Gear']);
shows('struct Shown {\n  using Gears = std::vector<detail::Gear>;\n};', [4, 'Shown::Gears shows detail::Gear']);
shows('class Shown {\n  struct Part {\n    detail::Gear gear;\n  };\n  void turn(detail::Gear gear);\n};\ninline void Shown::turn(detail::Gear gear) {}');

// Sizes.
const long = (lines) => '\n'.repeat(lines - 1);
expect({ 'tests/one/long_test.cpp': `${long(400)}\n`, 'docs/long.md': long(900) });
expect({ 'tests/one/long_test.cpp': `${long(401)}\n` }, 'tests/one/long_test.cpp:401: 401 lines (allowed: 400)');
for (const path of ['python/tests/test_long.py', 'web/src/long.js', 'web/long.css'])
  expect({ [path]: `${long(401)}\n` }, `${path}:401: 401 lines (allowed: 400)`);
expect({ 'app/main.cpp': `int main() {${long(70)}}\n` });
expect({ 'app/main.cpp': `\nint main() {${long(71)}}\n` }, 'app/main.cpp:2: main has 71 lines (allowed: 70)');
expect({ 'app/main_test.cpp': `TEST(Main, Runs) {${long(71)}}\n` }, 'app/main_test.cpp:1: TEST has 71 lines (allowed: 70)');

// Classes over all of their files, and circles of modules.
const valve = (inside) => ({ 'artel/low/detail/valve.hpp': `class Valve {\n${inside}\n};\n` });
const many = (count, text) => Array.from({ length: count }, (_, i) => text.replaceAll('#', i)).join('\n');
expect(valve(many(30, 'void turn#();')));
expect(valve(many(40, 'void turn(Lid# lid);')));
expect(valve(many(31, 'void turn#();')), 'artel/low/detail/valve.hpp:1: Valve has 31 functions over all its files (allowed: 30)');
expect(valve(many(21, 'int bore#;')), 'artel/low/detail/valve.hpp:1: Valve has 21 members over all its files (allowed: 20)');
expect({ 'artel/low/detail/valve.hpp': `struct Valve {\n${many(21, 'int bore#;')}\n};\n` });
const turns = (count, lines) => many(count, `void Valve::turn#() {${long(lines)}}`);
expect({ ...valve(many(8, 'void turn#();')), 'artel/low/detail/valve.cpp': turns(4, 60), 'artel/low/detail/valve_ends.cpp': turns(4, 61).replaceAll('turn', 'end') },
  'artel/low/detail/valve.hpp:1: Valve has 484 lines over all its files (allowed: 400)');
const bounded = (most, why = 'old') => ({ ...valve(many(40, 'void turn#();')), 'tests/structure/allowed.txt': `class | Valve ${most} functions | ${why}\n` });
expect(bounded(40));
expect(bounded(39), 'artel/low/detail/valve.hpp:1: Valve has 40 functions over all its files (allowed: 39)');
expect(bounded(43), 'tests/structure/allowed.txt:1: Valve has only 40 functions (allowed: a bound of 40)');
expect(bounded(40, ''), 'tests/structure/allowed.txt:1: an exception without a reason');
const circle = { 'artel/low/detail/gear.hpp': `${sound['artel/low/detail/gear.hpp']}struct Gear;\n`, 'artel/low/detail/gear.cpp': '#include "artel/low/engine.hpp"\n' };
expect(circle, 'artel/low/detail/gear.hpp:1: 2 modules include one another in a circle: low/detail/gear low/engine (allowed: none)');
expect({ ...circle, 'tests/structure/allowed.txt': 'loop | low/detail/gear low/engine | old\n' });
expect({ 'artel/low/detail/gear_test.cpp': '#include "artel/low/engine.hpp"\n' });

// Headers.
expect({ 'artel/low/valve.hpp': '/// A pipe.\nstruct Pipe {};\n' },
  'artel/low/valve.hpp:1: holds nothing of its name (it holds: Pipe)');
expect({ 'artel/low/valve.hpp': '/// A pipe.\nstruct Pipe { struct Valve {}; };\n' }, 'artel/low/valve.hpp:1: holds nothing of its name');
expect({ 'artel/low/valve.hpp': '\nstruct Valve {};\n' }, 'artel/low/valve.hpp:2: Valve has no doc comment');

expect({ 'artel/low/valve.hpp': '/// Opens.\nstruct Valve {};\n\nvoid turn(Valve&);\n' }, 'artel/low/valve.hpp:4: turn has no doc comment');
expect({ 'artel/low/valve.hpp': '/// Opens.\nstruct Valve {};\n\n/// Both ways.\nvoid turn(Valve&);\nvoid turn(Valve&, int);\n\nvoid turn(int);\n' });
expect({ 'artel/low/valve.hpp': '/// Opens.\nstruct Valve {};\ninline constexpr int kTurns = 3;\n' }, 'artel/low/valve.hpp:3: kTurns has no doc comment');
expect({ 'artel/low/valve.hpp': '/// Opens.\nstruct Valve {};\n\n// ---- Turning\nvoid turn(Valve&);\n' }, 'artel/low/valve.hpp:5: turn has no doc comment');
expect({ 'artel/low/valve.hpp': '/// Opens.\nstruct Valve {};\nnamespace detail {\nstruct Spring {};\n}\n' });

// Members: each mistake in a struct of its own, that the header's own comment does not reach.
const member = (text, ...findings) => expect({ 'artel/low/valve.hpp': `/// Opens: lid, turn().\nstruct Valve {\n${text}\n};\n` },
  ...findings.map(([line, name]) => `artel/low/valve.hpp:${line}: Valve::${name} has no doc comment (allowed: CONTRIBUTING.md, Doc comments)`));
member('int bore;', [3, 'bore']);
member('int bore;  // in mm', [3, 'bore']);
member('int bore;  ///< in mm\nint\n  length = 3;  ///< in mm\n/// In mm\nint width;');
member('void open() {}', [3, 'open']);
member('/// Wide.\nvoid open(int bore);\n\ntemplate <class T>\nvoid open(T bore);');
member('/// Wide; see close().\nvoid open();\nvoid close();\nvoid shut();', [6, 'shut']);
member('enum class Way { in };', [3, 'Way'], [3, 'Way::in']);
member('/// Where to.\nenum class Way { in, out };\n/// Its speed: slow.\nenum class Pace {\n  slow,\n  fast,\n};', [8, 'Pace::fast']);
member('int lid;\nvoid turn();');
member('void lid();', [3, 'lid']);
member('Valve() = default;\n~Valve();\nexplicit Valve(int bore);\nbool operator==(const Valve&) const;\nvoid spare() = delete;\nvoid play() override;');
member('std::size_t size() const { return 0; }\nbool empty() const;\nValve* begin();\nint take();\nstd::string name;');
member('Lid_Ring ring;\nLidRing ring;\nconst Ring& lid_ring();', [5, 'lid_ring']);
member('Duration duration;', [3, 'duration']);
member(' private:\n  int bore;\n protected:\n  int length;', [6, 'length']);

// What comments say: errors, threads, cost, units.
const says = (text, ...findings) => expect({ 'artel/low/valve.hpp': `/// Opens.\nstruct Valve {};\n${text}\n` },
  ...findings.map(([line, what]) => `artel/low/valve.hpp:${line}: ${what} (allowed: `));
const errors_of = (name) => `${name} does not say which errors there are`;
says('/// Opens it.\n[[nodiscard]] Result<Valve> open(int bore);', [4, errors_of('open')]);
says('/// Opens it.\n[[nodiscard]] auto open(int bore) -> Result<Valve>;', [4, errors_of('open')]);
says('/// Opens it. Errors: io.\n[[nodiscard]] Result<Valve> open(int bore);\n[[nodiscard]] Result<Valve> open();');
says('/// Opens it.\nvoid open(std::function<Result<int>()> how);');
says('/// Errors: io.\nstruct Lid {\n  Result<int> shut();  ///< for good\n};');
says('/// Closes.\nstruct Lid {\n  /// shut(), open(): for good. Errors: io.\n  Result<int> shut();\n  int bore();  ///< in mm\n  Result<int> open();\n};');
says('/// Closes.\nstruct Lid : Valve {\n  Result<int> shut() override;\n  Result<int> open();  ///< again\n};', [6, errors_of('Lid::open')]);
const threads_of = (name) => `${name} does not say which threads may use it`;
const keeps = (name, text) => `class ${name} {\n public:\n${text}\n\n private:\n  int bore_;\n};`;
const cost_of = (name) => `${name} does not say what it costs`;
says(`/// Closes: turn().\n${keeps('Lid', '  void turn();')}`, [4, threads_of('Lid')], [4, cost_of('Lid')]);
says(`/// Closes: turn(). Threads: one at a time.\n${keeps('Lid', '  void turn();')}`, [4, cost_of('Lid')]);
says(`/// Closes: turn(). Threads: one at a time. Cost: O(1).\n${keeps('Lid', '  void turn();')}`);
says(`/// Closes. Threads: one at a time.\n${keeps('Lid', '  /// Closes it. Memory: none.\n  void turn();')}`);
says(`/// Closes: bore().\n${keeps('Lid', '  int bore(\n      int unit) const;')}`);
says(`/// Closes.\n${keeps('Lid', '  void turn() override;')}`);
says(`/// Closes: withdraw().\n${keeps('Lid', '  void withdraw();\n  int take();')}`);
for (const path of ['artel/low/detail/gear.hpp', 'tests/one/gear_test.cpp'])
  expect({ [path]: '/// Turns. Shape: oiled.\nstruct Gear {};\n// Shape::round is one.\n' }, `${path}:1: a precondition called Shape: (allowed: Requires:)`);
const unit_of = (name, quantity) => `${name}: nothing says the unit of ${quantity}`;
says('/// Opens it.\nvoid open(double timeout);', [4, unit_of('open', 'timeout')]);
says('/// Opens it.\nvoid open(std::uint64_t memory, int tries);', [4, unit_of('open', 'memory')]);
says('/// Opens it.\nvoid open(double timeout_s, Duration delay);\n/// After `delay` seconds.\nvoid shut(double delay);');
says('/// Closes.\nstruct Lid {\n  double delay;  ///< of the lid\n  double age;  ///< in seconds\n};', [5, unit_of('Lid::delay', 'delay')]);
shows('class Shown {\n public:\n  void spin();\n};\n/// Spins it.\nvoid spin(Shown&);');
expect({ 'artel/low/valve.hpp': '/// Opens.\nstruct Valve {\n  void close();\n};\nvoid Valve::close() {}\n' },
  'artel/low/valve.hpp:3: Valve::close has no doc comment');
expect({ 'artel/low/detail/valve.hpp': 'struct Valve { int bore; };\n' });

// Words.
expect({ 'artel/high/inner/gears.hpp': '/// All of them.\nstruct Gears { class Engine {}; };\n' },
  'artel/low/engine.hpp:5: the type name Engine is taken: Gears::Engine, artel/high/inner/gears.hpp:2 (allowed: one meaning per word)');
expect({ 'artel/high/inner/mill.hpp': 'namespace artel::high {\n/// Grinds.\nclass Mill;\nclass Engine;\nclass Mill { class Flour {}; };\n}\n' +
  'template <>\nstruct std::hash<artel::high::Mill> {};\n' });

// What is hidden in the sources of one room.
const hides = (text) => `namespace artel::low {\nnamespace {\n${text}\n}\n}\n`;
expect({ 'artel/low/pull.cpp': hides('constexpr int kTeeth = 3;'), 'artel/low/push.cpp': hides('\nconstexpr int kTeeth = 4;') },
  'artel/low/push.cpp:4: kTeeth is in artel/low/pull.cpp, too (allowed: one of a name among what a room hides)');
expect({ 'app/pull.cpp': hides('int teeth(int gear) { return gear; }'), 'app/push.cpp': hides('int teeth(int of) { return of; }') },
  'app/push.cpp:3: teeth is in app/pull.cpp, too');
expect({ 'artel/low/pull.cpp': hides('int teeth(int gear) { return gear; }'), 'artel/low/push.cpp': hides('int teeth(long gear) { return 2; }'),
  'artel/low/pull_test.cpp': hides('int teeth(int gear) { return gear; }'), 'artel/high/inner/shove.cpp': hides('int teeth(int gear) { return gear; }') });

// docs/api.md and the rooms' lines.
expect({ 'docs/api.md': 'Old.\n' }, 'docs/api.md:1: is not what the headers say (./dev docs writes it anew)');
expect({ 'layers.txt': sound['layers.txt'].replace('# What is low.\n', '') },
  'layers.txt:1: nothing says what the room low is for (allowed: a comment right above)');

// Pages: what the table of headers names is there, and the menu has every guide.
expect({ 'ARCHITECTURE.md': '| room | public | inside |\n| `low` | `engine.hpp`, a fine one | `gear.hpp` |\n' });
expect({ 'ARCHITECTURE.md': '\n| `low` | `gear.hpp` | `engine.hpp` |\n' },
  'ARCHITECTURE.md:2: artel/low/gear.hpp is not there', 'ARCHITECTURE.md:2: artel/low/detail/engine.hpp is not there');
expect({ 'web/site/config.mjs': 'page("", "page"), page("", "api"), page("How", "tutorials/how")', 'docs/tutorials/how.md': '', 'docs/tutorials/README.md': '' });
expect({ 'web/site/config.mjs': 'page("", "page"), page("", "api")', 'docs/tutorials/how.md': '' }, 'docs/tutorials/how.md:1: is not in the menu of the site');

// Exceptions: each has a reason and is needed.
const allowed = (text) => ({ 'tests/structure/allowed.txt': text, 'bench/one/main.cpp': gear });
expect(allowed('# Why.\ndetail | bench/one/main.cpp | it measures the gears\n'));
expect(allowed('detail | bench/one/main.cpp |\n'), 'tests/structure/allowed.txt:1: an exception without a reason');
expect({ 'tests/structure/allowed.txt': '\ndetail | bench/two/main.cpp | gone\n' },
  'tests/structure/allowed.txt:2: nothing needs this exception: detail | bench/two/main.cpp');

// The command: its exit status, the page that it writes, a folder without layers.txt.
const status = (...args) => spawnSync(process.execPath, [check, ...args], { encoding: 'utf8' }).status;
write('docs/api.md', 'Old.\n');
if (status(tree) !== 1) fail('a stale page was accepted');
if (status('--api', tree) !== 0 || status(tree) !== 0) fail('--api does not write what the check wants');
const page = readFileSync(join(tree, 'docs/api.md'), 'utf8');
if (!page.includes('## low\nWhat is low.\n\n- [`low/checked.hpp`](../artel/low/checked.hpp): Tests \\<it>, `a<b>`\n- [`low/engine.hpp`](../artel/low/engine.hpp): Turns\n'))
  fail(`the page says:\n${page}`);
if (status(join(tree, 'docs')) !== 2) fail('a folder without layers.txt was accepted');
process.exit(failed);
