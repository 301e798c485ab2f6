// The packages of this repository that are published: every workspace that is not private.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Returns folder (relative to the repository) and package.json of each published package, as npm orders them. */
export function publishedPackages() {
  return JSON.parse(npm(['query', '.workspace']))
    .map(({ location }) => ({
      folder: location,
      manifest: JSON.parse(readFileSync(join(root, location, 'package.json'), 'utf8')),
    }))
    .filter(({ manifest }) => manifest.private !== true);
}

/**
 * Packs the published packages into a folder. Returns name, path of the tarball (`file`) and the packed `files` of
 * each. With `dryRun` nothing is written.
 */
export function packPackages(target, { dryRun = false } = {}) {
  const folder = resolve(target);
  if (!dryRun) mkdirSync(folder, { recursive: true });
  const workspaces = publishedPackages().map(({ folder: path }) => `--workspace=${path}`);
  const where = dryRun ? ['--dry-run'] : [`--pack-destination=${folder}`];
  return JSON.parse(npm(['pack', '--json', ...where, ...workspaces])).map(({ name, filename, files }) => ({
    name,
    file: join(folder, filename.replace('@', '').replace('/', '-')),
    files: files.map(({ path }) => path),
  }));
}

function npm(args) {
  return execFileSync('npm', args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'ignore'],
    // npm starts with `#!/usr/bin/env node` and checks `engines` against the Node that it finds.
    env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH ?? ''}` },
  });
}
