import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** Copies the list of the console's own addresses, which the server reads. */
export function copyPaths(): Plugin {
  let root = '';
  let outDir = '';
  return {
    name: 'quire-paths',
    apply: 'build',
    configResolved: (config) => {
      root = config.root;
      outDir = join(config.root, config.build.outDir);
    },
    closeBundle: () => copyFileSync(join(root, 'src', 'app', 'paths.json'), join(outDir, 'paths.json')),
  };
}
