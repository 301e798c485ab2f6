// `npm run new:operation general/some-name` writes the operation, its function, test and fixture, the index entry, the
// changelog line and the docs page.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { isOperationPath, operationNames } from '../test/kit/generators/operation-names.js';
import { firstWords } from '../test/kit/generators/first-words.js';
import { operationTemplates, templateNamed } from '../test/kit/generators/templates/index.js';
import { makePdf } from '../test/kit/make-pdf.js';
import { root } from './load-workspace-plugins.js';
import { pageName } from './operation-docs.js';

const [path, templateName = 'edit'] = process.argv.slice(2);
if (path === undefined) fail(usage());
if (!isOperationPath(path))
  fail(`"${path}" is not the path of an operation, which is <category>/<name> in lower case: general/some-name`);
const template = templateNamed(templateName);
if (template === undefined) fail(`There is no template "${templateName}"; there are:\n${templateRows().join('\n')}`);
const category = path.split('/')[0] ?? '';
const plugin = path.startsWith('ai/') ? 'ai-tools' : category;
const folder = join(root, 'plugins', plugin);
if (!existsSync(join(folder, 'package.json')))
  fail(
    `There is no category "${category}" in plugins/ (there are ${plugins().join(', ')}). For a new one run first: ` +
      `npm run new:plugin ${category}`,
  );
const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
const { file, exportName } = operationNames(path);
const operation = { path, since: nextMinor(version) };
const firstWord = path.slice(path.lastIndexOf('/') + 1).split('-')[0] ?? '';
const written: string[] = [];

create(join(folder, 'src', 'operations', `${file}.op.ts`), template.declaration(operation));
create(join(folder, 'src', 'functions', `${file}.ts`), template.work(operation));
create(join(folder, 'test', 'operations', `${file}.test.ts`), template.test(operation));
const fixture = join(folder, 'fixtures', 'letter.pdf');
if (!existsSync(fixture)) create(fixture, await makePdf({ pages: 2, text: ['Dear customer', 'Yours'] }));
change(join(folder, 'src', 'index.ts'), addToIndex);
change(join(folder, 'CHANGELOG.md'), addToChangelog);
run(['node_modules/oxfmt/bin/oxfmt', '--write', folder]);
// The page of the operation is made from the API document, which comes from a built server.
run(['tools/ensure-built.mjs', '--always']);
run(['--import', 'tsx', 'tools/generate-docs.ts']);
console.log(nextSteps(path, template.sample));

function nextSteps(path: string, sample: string): string {
  const own = `plugins/${plugin}`;
  const groups = readdirSync(join(folder, 'src', 'functions'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
  return [
    `Wrote ${path}, which ${sample} until you change it:`,
    ...written.map((target) => `  ${target}`),
    `  docs/reference/operations/${pageName(path)}`,
    `and added it to ${own}/src/index.ts, ${own}/CHANGELOG.md, ${own}/README.md and docs/reference.`,
    'Next:',
    `  1. edit the declaration (.op.ts: fields, examples, keywords), the function, the test and the line in ` +
      `${own}/CHANGELOG.md`,
    ...(groups.length === 0
      ? []
      : [`     (a function for ${groups.join(', ')} belongs in the folder of this name in ${own}/src/functions)`]),
    '  2. npm run build',
    `  3. node_modules/.bin/mocha ${own}/test/operations/${file}.test.ts ${own}/test/conformance.test.ts`,
    '  4. npm run docs',
    '  5. node tools/run-tests.mjs types lint format exports docs architecture',
    '  6. npm run texts lists labels, help and values that are not translated yet; "architecture" fails until they',
    `     are in ${own}/texts/<language>.json. If you do not speak a language, leave it to the maintainers`,
    ...(firstWords.has(firstWord)
      ? []
      : [
          `Generated clients name calls by a verb, and "${firstWord}" is not a known one: begin the path with a verb,`,
          'declare `name`, or add the verb to test/kit/generators/first-words.ts.',
        ]),
  ].join('\n');
}

function addToIndex(text: string): string {
  const added = `import { ${exportName} } from './operations/${file}.op.js';\n`;
  const list = /operations:\s*\[([^\]]*)\]/;
  if (!list.test(text)) {
    const opened = /definePlugin\(\{/;
    if (!opened.test(text)) fail(`plugins/…/src/index.ts has no definePlugin({ … }) to add ${exportName} to`);
    return withImport(text.replace(opened, `definePlugin({\n  operations: [${exportName}],`), added);
  }
  return withImport(
    text.replace(list, (whole, names: string) => {
      const trimmed = names.trimEnd();
      const separator = trimmed === '' ? '' : trimmed.endsWith(',') ? ' ' : ', ';
      return whole.replace(names, `${trimmed}${separator}${exportName}${names.includes('\n') ? ',\n  ' : ''}`);
    }),
    added,
  );
}

/** Adds an import after the last one. */
function withImport(text: string, added: string): string {
  const last = [...text.matchAll(/^import [^;]*;\n/gm)].at(-1);
  const at = last === undefined ? 0 : last.index + last[0].length;
  return text.slice(0, at) + added + text.slice(at);
}

function addToChangelog(text: string): string {
  const line = `- \`${path}\`.\n`;
  const added = '## Unreleased\n\n### Added\n\n';
  if (text.includes(added)) return text.replace(added, `${added}${line}`);
  if (text.includes('## Unreleased\n')) return text.replace('## Unreleased\n\n', `${added}${line}\n`);
  return text.replace(/^## /m, `${added}${line}\n## `);
}

function create(target: string, content: string | Uint8Array): void {
  if (existsSync(target)) fail(`${target} already exists`);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, content);
  written.push(relative(root, target));
}

function change(target: string, how: (text: string) => string): void {
  writeFileSync(target, how(readFileSync(target, 'utf8')));
}

function run(args: readonly string[]): void {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

function usage(): string {
  const line = 'Usage: npm run new:operation <category>/<name> [template], for example general/some-name edit';
  return [line, 'Templates:', ...templateRows()].join('\n');
}

function templateRows(): string[] {
  return Object.entries(operationTemplates).map(([name, { use }]) => `  ${name.padEnd(8)} ${use}`);
}

function plugins(): string[] {
  return readdirSync(join(root, 'plugins')).filter((name) => existsSync(join(root, 'plugins', name, 'package.json')));
}

/** Returns the next minor version (Semantic Versioning), for a release with a new operation. */
function nextMinor(current: string): string {
  const [major = '0', minor = '0'] = current.split('.');
  return `${major}.${Number(minor) + 1}.0`;
}

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}
