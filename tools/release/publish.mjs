// npm run publish:packages [-- --dry-run]
// Publishes every package whose version the registry does not have yet, with provenance. For the release workflow: npm
// writes provenance only where the job has an OpenID token (GitHub Actions, GitLab CI). Nothing is published if the
// name of one package belongs to another repository; a dry run reports it and goes on.
import '../node24.mjs';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packPackages, publishedPackages } from './packages.mjs';

const dryRun = process.argv.includes('--dry-run');
const packages = publishedPackages().map(({ manifest }) => ({ manifest, found: onRegistry(manifest.name) }));
const taken = packages.filter(({ manifest, found }) => isForeign(manifest, found));
for (const { manifest, found } of taken)
  console.error(
    `The name ${manifest.name} belongs to ${found.repository || 'a package without a repository'}: ` +
      'rename the package, or ask its owner for the name.',
  );
if (taken.length > 0 && !dryRun) process.exit(1);

const folder = mkdtempSync(join(tmpdir(), 'quire-publish-'));
try {
  const files = new Map(packPackages(folder).map(({ name, file }) => [name, file]));
  for (const { manifest, found } of packages) publish(manifest, found, files.get(manifest.name));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function publish({ name, version }, { versions }, file) {
  if (versions.includes(version)) {
    console.log(`${name}@${version} is published already`);
    return;
  }
  const how = dryRun ? ['--dry-run'] : ['--provenance'];
  execFileSync('npm', ['publish', file, '--access=public', '--loglevel=error', ...how], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  console.log(`${name}@${version} ${dryRun ? 'would be published' : 'published'}`);
}

/** Returns the versions and the repository of a package of the registry; no versions where the name is free. */
function onRegistry(name) {
  const { stdout } = spawnSync('npm', ['view', name, 'versions', 'repository.url', '--json'], { encoding: 'utf8' });
  const found = JSON.parse(stdout || '{}');
  if (found.error !== undefined && found.error.code !== 'E404')
    throw new Error(`${name} could not be looked up: ${found.error.summary ?? found.error.code}`);
  // npm prints the versions alone where there is no repository.
  const bare = typeof found === 'string' || Array.isArray(found);
  return { versions: [bare ? found : (found.versions ?? [])].flat(), repository: found['repository.url'] ?? '' };
}

/** Whether the registry has the name for another repository than `repository` in package.json. */
function isForeign({ repository }, { versions, repository: found }) {
  return versions.length > 0 && (repository?.url === undefined || plain(found) !== plain(repository.url));
}

function plain(url) {
  return url.replace(/^git\+/, '').replace(/\.git$/, '');
}
