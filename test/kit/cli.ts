#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writePlugin } from './generators/new-plugin.js';

// The command behind `npx plugin-kit new <name> [operation]`.
const [command, name, operation] = process.argv.slice(2);
if (command !== 'new' || name === undefined) {
  console.error('Use: npx plugin-kit new <name> [path of its first operation, for example misc/add-barcode]');
  process.exit(2);
}
// `dist/cli.js` of test/kit in a checkout: the new plugin is developed against that checkout.
const repository = fileURLToPath(new URL('../../..', import.meta.url));
const isCheckout = existsSync(join(repository, 'registry', 'package.json')) && existsSync(join(repository, 'core'));
try {
  const folder = resolve(`quire-plugin-${name}`);
  const files = await writePlugin({
    name,
    folder,
    workspace: false,
    ...(isCheckout ? { checkout: repository } : {}),
    ...(operation === undefined ? {} : { operation }),
  });
  console.log(`Wrote ${files.length} files to ${folder}.\nNext: cd quire-plugin-${name} && npm install && npm test`);
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
