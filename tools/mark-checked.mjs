// Checks the declarations of every shipped plugin after they were bundled, so that a server need not do it at each
// start (registry/catalog/checked-mark.ts). Faults are shown here and reported by the server that loads the plugin.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { markChecked, readManifest } from '@quire/catalog';
import Joi from 'joi';

const root = fileURLToPath(new URL('..', import.meta.url));
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

for (const { path } of readJson(join(root, 'tsconfig.json')).references) {
  const folder = join(root, path);
  const { name, quire, exports } = readJson(join(folder, 'package.json'));
  if (quire?.kind !== 'plugin' || !JSON.stringify(exports).includes('/dist/bundle/')) continue;
  const read = readManifest(folder, name);
  const faults =
    'manifest' in read
      ? existsSync(read.manifest.entry)
        ? await markChecked(read.manifest, Joi)
        : []
      : read.faults.map(({ message }) => message);
  for (const fault of faults) console.error(`${name}: ${fault}`);
}
