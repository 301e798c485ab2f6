// Checks that each operation is complete: op file, test, docs page, index entry, changelog, title and icon. Lists every
// gap at once.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { presentationFaults } from '@quire/catalog';
import Joi from 'joi';
import { filesOfOperation, namesOf } from '../test/kit/conformance/declaration-section.js';
import { loadWorkspacePlugins, root } from './load-workspace-plugins.js';
import { pageName } from './operation-docs.js';

const gaps: string[] = [];
const demand = (what: string, path: string): void => {
  if (!existsSync(path)) gaps.push(`${what}: ${relative(root, path)} is missing`);
};

/** Returns the text of all tests in a folder. */
function textOf(folder: string): string {
  if (!existsSync(folder)) return '';
  return readdirSync(folder)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
}

function demandIcon(of: string, icon: string | undefined): void {
  if (icon === undefined) gaps.push(`${of}: it has no icon`);
  else if (!icon.startsWith('M') && !existsSync(join(root, 'node_modules', 'lucide-static', 'icons', `${icon}.svg`)))
    gaps.push(`${of}: there is no Lucide icon ${icon}`);
}

const index = join(root, 'docs', 'reference', 'operations', 'README.md');
const indexText = existsSync(index) ? readFileSync(index, 'utf8') : '';
let count = 0;
/** Categories of operations, and those with a title. */
const used = new Set<string>();
const known = new Set<string>();
for (const { folder, path, name, version, plugin } of await loadWorkspacePlugins()) {
  for (const file of ['README.md', 'CHANGELOG.md', 'test/conformance.test.ts']) demand(name, join(path, file));
  const changelog = existsSync(join(path, 'CHANGELOG.md')) ? readFileSync(join(path, 'CHANGELOG.md'), 'utf8') : '';
  if (!changelog.includes(`## ${version}`) && !changelog.includes(`## [${version}]`))
    gaps.push(`${name}: CHANGELOG.md has no entry for ${version}`);
  const entry = readFileSync(join(path, 'src', 'index.ts'), 'utf8');
  const tests = textOf(join(path, 'test', 'operations'));
  for (const { id, icon } of plugin.categories ?? []) {
    demandIcon(`category ${id}`, icon);
    known.add(id);
  }
  for (const operation of plugin.operations) {
    count++;
    used.add(operation.path.slice(0, operation.path.indexOf('/')));
    const { file, exportName } = namesOf(operation.path);
    if (filesOfOperation(path, file).length === 0)
      gaps.push(`${operation.path}: plugins/${folder}/src/operations has no ${file}.op.ts`);
    for (const fault of presentationFaults(operation, operation.params(Joi) as Joi.ObjectSchema))
      gaps.push(`${operation.path}: ${fault}`);
    if (operation.title === undefined) gaps.push(`${operation.path}: it has no title`);
    demandIcon(operation.path, operation.icon);
    // A test file for a single category may omit the category.
    const tail = operation.path.slice(operation.path.indexOf('/') + 1);
    if (![exportName, `'${operation.path}'`, `'${tail}'`].some((known) => tests.includes(known)))
      gaps.push(`${operation.path}: no test in plugins/${folder}/test/operations mentions it`);
    demand(operation.path, join(root, 'docs', 'reference', 'operations', pageName(operation.path)));
    if (!indexText.includes(`(${pageName(operation.path)})`))
      gaps.push(`${operation.path}: no entry in docs/reference/operations/README.md`);
    if (!new RegExp(`\\b${exportName}\\b`).test(entry))
      gaps.push(`${operation.path}: plugins/${folder}/src/index.ts does not mention ${exportName}`);
  }
}

for (const id of used) if (!known.has(id)) gaps.push(`category ${id}: no plugin declares its title and icon`);

if (gaps.length > 0) {
  console.error(gaps.map((gap) => `  ${gap}`).join('\n'));
  process.exit(1);
}
console.log(`  ${count} operations are complete`);
