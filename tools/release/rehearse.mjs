// npm run release:rehearse
// Runs the steps of a release in a clone of the last commit, all but the uploads: `npm run release`, then what the jobs
// `test` and `packages` of .github/workflows/release.yml run, with `npm publish --dry-run`, then the tests of the
// packed files. CI (.ci/run) and the images have checks of their own. Needs the npm registry; a quarter of an hour.
// The last line is "release: ok".
import '../node24.mjs';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { root } from './packages.mjs';

const JOBS = ['test', 'packages'];
const work = mkdtempSync(join(tmpdir(), 'quire-release-'));
const clone = join(work, 'clone');
const env = {
  ...process.env,
  PATH: `${dirname(process.execPath)}:${process.env.PATH ?? ''}`,
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_REPOSITORY: 'example/quire',
};
try {
  run(`git clone --quiet "${root}" "${clone}"`, work);
  run('npm ci && npm run build && npm run release');
  const { version } = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8'));
  env.GITHUB_REF_NAME = `v${version}`;
  checkChanges(version);
  const { jobs } = parse(readFileSync(join(clone, '.github', 'workflows', 'release.yml'), 'utf8'));
  for (const step of JOBS.flatMap((job) => jobs[job].steps)) runStep(step);
  run('sha256sum --check --strict SHA256SUMS');
  run('node_modules/.bin/mocha tools/release/packages.test.ts tools/release/installed-server.test.ts');
  console.log('release: ok');
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Runs a step of the workflow as GitHub does, unless it uploads something or is an action. */
function runStep({ run: script, uses, name = script ?? uses }) {
  const reason = skipped(script);
  if (reason !== undefined) console.log(`skipped: ${name.trim()} (${reason})`);
  else run(script.replace('npm run publish:packages', 'npm run publish:packages -- --dry-run'));
}

function skipped(script) {
  if (script === undefined) return 'an action of GitHub';
  if (script.startsWith('.ci/run')) return 'npm test';
  if (script.startsWith('sudo ')) return 'changes the machine';
  return script.startsWith('gh ') ? 'uploads' : undefined;
}

/** Compares what `npm run release` changed with the version that it chose. */
function checkChanges(version) {
  const text = (path) => readFileSync(join(clone, path), 'utf8');
  const missing = [
    ['CHANGELOG.md', `## [${version}] - `],
    ['package-lock.json', `"version": "${version}"`],
    ['deploy/kubernetes/chart/Chart.yaml', `appVersion: ${version}\n`],
  ].filter(([path, expected]) => !existsSync(join(clone, path)) || !text(path).includes(expected));
  if (missing.length > 0)
    throw new Error(missing.map(([path, expected]) => `${path} does not contain ${expected.trim()}`).join('\n'));
}

function run(script, cwd = clone) {
  console.log(`$ ${script.trim()}`);
  execFileSync('bash', ['-e', '-c', script], { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] });
}
