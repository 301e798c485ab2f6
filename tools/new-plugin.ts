// `npm run new:plugin name` creates plugins/<name>, a package of this workspace, and adds it to the build and to the
// settings; `npm run new:plugin name folder [operation]` creates a separate package in that folder outside, which is
// developed next to this checkout.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { writePlugin } from '../test/kit/generators/new-plugin.js';
import { root } from './load-workspace-plugins.js';

const [name, outside, operation] = process.argv.slice(2);
if (name === undefined || name.startsWith('-')) {
  console.error(
    'Usage: npm run new:plugin <name> [folder outside this repository] [path of its first operation]\n' +
      'for example: npm run new:plugin barcode ../barcode misc/add-barcode',
  );
  process.exit(2);
}
try {
  if (outside === undefined) await writeInside(name);
  else await writeOutside(name, resolve(outside));
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}

async function writeOutside(name: string, folder: string): Promise<void> {
  if (!relative(root, folder).startsWith('..'))
    throw new Error(
      `${folder} is inside this repository; to create a workspace plugin run: npm run new:plugin ${name}`,
    );
  const files = await writePlugin({
    name,
    folder,
    workspace: false,
    checkout: root,
    ...(operation === undefined ? {} : { operation }),
  });
  console.log(
    `Wrote ${folder}:\n${files.map((file) => `  ${file}`).join('\n')}\nNext: cd ${folder} && npm install && ` +
      'npm test; its README says how it comes to a server',
  );
}

async function writeInside(name: string): Promise<void> {
  const files = await writePlugin({ name, folder: join(root, 'plugins', name), workspace: true });
  const formatter = join(root, 'node_modules', 'oxfmt', 'bin', 'oxfmt');
  execFileSync(process.execPath, [formatter, '--write', join('plugins', name)], { cwd: root });
  addReference(`plugins/${name}`);
  addToSettings(`@quire/plugin-${name}`);
  link(name);
  console.log(
    `Wrote plugins/${name}:\n${files.map((file) => `  ${file}`).join('\n')}\nIt is named in tsconfig.json and ` +
      `config/settings.yml.\nNext: npm install (records it in package-lock.json), then npm run docs and (cd ` +
      `plugins/${name} && npm test)`,
  );
}

/** Adds the package to the projects that `tsc -b` builds. */
function addReference(path: string): void {
  const file = join(root, 'tsconfig.json');
  const text = readFileSync(file, 'utf8');
  if (!text.includes(`"${path}"`))
    writeFileSync(file, text.replace('{ "path": "test/kit" }', `{ "path": "${path}" },\n    { "path": "test/kit" }`));
}

/** Adds the package to the shipped list of plugins, after the last one. */
function addToSettings(packageName: string): void {
  const file = join(root, 'config', 'settings.yml');
  const lines = readFileSync(file, 'utf8').split('\n');
  const last = lines.findLastIndex((line) => /^\s*- (use:|\{ ?use:)/.test(line));
  const model = lines[last];
  if (model === undefined) throw new Error('config/settings.yml has no list of plugins');
  lines.splice(last + 1, 0, model.replace(/(use:\s*)['"]?[^'",}\s]+['"]?/, `$1'${packageName}'`));
  writeFileSync(file, lines.join('\n'));
}

/** Links the package into node_modules, as npm does for workspaces. */
function link(folder: string): void {
  const target = join(root, 'node_modules', '@quire', `plugin-${folder}`);
  mkdirSync(join(target, '..'), { recursive: true });
  if (!existsSync(target)) symlinkSync(join('..', '..', 'plugins', folder), target);
}
