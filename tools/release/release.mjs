// npm run release -- [--date YYYY-MM-DD] [--bump @quire/document=minor]… [--dry-run]
// Gives every changed package its next version. A changelog whose section "Unreleased" has entries decides: "Removed"
// is a major version, "Added" and "Changed" are minor, the rest is a patch; before 1.0.0 a major change is minor too.
// The section becomes that of the version; package.json files, ranges of dependents, chart and lock file follow.
// The server's changelog is that of the repository, each plugin has its own; packages without one are named by --bump.
import '../node24.mjs';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import semver from 'semver';

/** Packages that share the version and the changelog of the server; `.` is the repository. */
const SERVER = ['.', 'config', 'core', 'console'];
const KINDS = ['major', 'minor', 'patch'];

const { values } = parseArgs({
  options: {
    root: { type: 'string', default: '.' },
    date: { type: 'string', default: new Date().toISOString().slice(0, 10) },
    bump: { type: 'string', multiple: true, default: [] },
    'dry-run': { type: 'boolean', default: false },
  },
});
const root = resolve(values.root);
const read = (path) => readFileSync(join(root, path), 'utf8');
const folders = [
  '.',
  ...JSON.parse(execFileSync('npm', ['query', '.workspace'], { cwd: root })).map((w) => w.location),
];
const manifests = new Map(folders.map((folder) => [folder, JSON.parse(read(join(folder, 'package.json')))]));

const bumped = new Map();
for (const folder of folders) {
  const changelog = join(folder, 'CHANGELOG.md');
  if ((folder !== '.' && SERVER.includes(folder)) || !existsSync(join(root, changelog))) continue;
  const kind = kindOf(unreleased(read(changelog)));
  if (kind !== undefined) release(folder === '.' ? SERVER : [folder], kind, changelog);
}
for (const [name, kind] of values.bump.map((entry) => entry.split('='))) {
  const folder = folders.find((each) => manifests.get(each).name === name);
  if (folder === undefined || !KINDS.includes(kind)) {
    console.error(`--bump ${name}=${kind}: name a package of this repository and ${KINDS.join(', ')}`);
    process.exit(2);
  }
  release([folder], kind);
}
for (const manifest of manifests.values()) followRanges(manifest);
if (!values['dry-run']) {
  for (const [folder, manifest] of manifests)
    writeFileSync(join(root, folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  if (existsSync(join(root, 'package-lock.json')))
    execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts', '--no-audit'], {
      cwd: root,
      stdio: 'ignore',
    });
}
const chart = join('deploy', 'kubernetes', 'chart', 'Chart.yaml');
if (!values['dry-run'] && existsSync(join(root, chart)))
  writeFileSync(
    join(root, chart),
    read(chart).replace(/^appVersion: .*$/m, `appVersion: ${manifests.get('.').version}`),
  );
if (bumped.size === 0) console.log('nothing to release: no changelog has entries under "Unreleased"');

/** Returns the entries under "Unreleased". */
function unreleased(text) {
  return /^## \[?Unreleased\]?\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(text)?.[1] ?? '';
}

function kindOf(entries) {
  if (!/^- /m.test(entries)) return undefined;
  const has = (...titles) => titles.some((title) => entries.includes(`### ${title}\n`));
  return has('Removed') ? 'major' : has('Added', 'Changed') ? 'minor' : 'patch';
}

function release(members, kind, changelog) {
  const before = manifests.get(members[0]).version;
  const version = semver.inc(before, kind === 'major' && semver.major(before) === 0 ? 'minor' : kind);
  for (const folder of members.filter((each) => manifests.has(each))) {
    manifests.get(folder).version = version;
    bumped.set(manifests.get(folder).name, version);
    console.log(`${manifests.get(folder).name} ${before} -> ${version}`);
  }
  if (changelog === undefined || values['dry-run']) return;
  const heading = `## Unreleased\n\n## [${version}] - ${values.date}\n`;
  writeFileSync(join(root, changelog), read(changelog).replace(/^## \[?Unreleased\]?\n/m, heading));
}

/** Dependents name at least the new version, as they are tested with it. */
function followRanges(manifest) {
  for (const group of ['dependencies', 'peerDependencies', 'devDependencies'])
    for (const [name, range] of Object.entries(manifest[group] ?? {})) {
      const version = bumped.get(name);
      // A plugin states the oldest plugin API that it needs.
      if (version !== undefined && !(group === 'peerDependencies' && semver.satisfies(version, range)))
        manifest[group][name] = `^${version}`;
    }
}
