#!/usr/bin/env node
import { resolve } from 'node:path';
import { writePlugin } from './generators/new-plugin.js';

// The command behind `npx @quire/plugin-kit new <name>`.
const [command, name] = process.argv.slice(2);
if (command !== 'new' || name === undefined) {
  console.error('Use: npx @quire/plugin-kit new <name>');
  process.exit(2);
}
try {
  const folder = resolve(`quire-plugin-${name}`);
  const files = await writePlugin({ name, folder, workspace: false });
  console.log(`Wrote ${files.length} files to ${folder}.\nNext: cd quire-plugin-${name} && npm install && npm test`);
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
