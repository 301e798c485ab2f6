// npm run publish:packages [-- --dry-run]
// Publishes every package whose version the registry does not have yet, with provenance. For the release workflow: npm
// writes provenance only where the job has an OpenID token (GitHub Actions, GitLab CI).
import '../node24.mjs';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packPackages, publishedPackages } from './packages.mjs';

const dryRun = process.argv.includes('--dry-run');
const versions = new Map(publishedPackages().map(({ manifest }) => [manifest.name, manifest.version]));
const folder = mkdtempSync(join(tmpdir(), 'quire-publish-'));
try {
  for (const { name, file } of packPackages(folder)) {
    const id = `${name}@${versions.get(name)}`;
    if (spawnSync('npm', ['view', id, 'version'], { encoding: 'utf8' }).stdout.trim() !== '') {
      console.log(`${id} is published already`);
      continue;
    }
    const how = dryRun ? ['--dry-run'] : ['--provenance'];
    execFileSync('npm', ['publish', file, '--access=public', '--loglevel=error', ...how], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    console.log(`${id} ${dryRun ? 'would be published' : 'published'}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
