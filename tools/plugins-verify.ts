// Loads the plugins of the settings with the server's loader, without opening a port, and prints each one with its
// operations and problems. `npm run plugins:verify -- --settings <file>` checks another settings file.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import Joi from 'joi';
import { loadCatalog } from '@quire/catalog';
import { loadSettings } from '@quire/core';
import { root } from './load-workspace-plugins.js';

const { values } = parseArgs({ options: { settings: { type: 'string' } } });
try {
  const settings = loadSettings({
    shippedFile: join(root, 'config', 'settings.yml'),
    env: process.env,
    cwd: process.cwd(),
    ...(values.settings === undefined ? {} : { argvFile: values.settings }),
  });
  const catalog = await loadCatalog({
    plugins: settings.get('plugins'),
    resolveFrom: [...new Set([...settings.files.slice(1).map((file) => dirname(file)), process.cwd(), root])],
    joi: Joi,
    operations: settings.get('operations'),
    operationOrigin: (path) => settings.operationOrigin(path),
  });
  for (const { name, version, root: folder, plugin } of catalog.plugins) {
    const { quire } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { quire: { api: string } };
    console.log(
      `${name} ${version} (registry API ${quire.api}): ${plugin.operations.length} operations, ` +
        `${plugin.endpoints.length} endpoints`,
    );
    for (const { path, summary } of plugin.operations) console.log(`  ${path}: ${summary}`);
    for (const { method, path, summary } of plugin.endpoints) console.log(`  ${method} ${path}: ${summary}`);
  }
  for (const { plugin, problems } of catalog.warnings)
    console.log(`not loaded: ${plugin}\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
