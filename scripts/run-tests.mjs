// Runs everything that this machine can run: types, lint, architecture, registry, docs, then unit, kit and HTTP tests.
// `node scripts/run-tests.mjs unit http` runs only the stages named. The last line is always "N passed, N failed".
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'quire-tests-'));
const strict = process.env.QUIRE_CI === '1';
const wanted = process.argv.slice(2);

/** Stages in order: a `command` counts as one check, `tests` are mocha files. */
const stages = [
  { name: 'types', command: [bin('typescript', 'bin/tsc'), '-p', 'tsconfig.test.json', '--noEmit'] },
  { name: 'lint', command: [bin('oxlint', 'bin/oxlint'), '--deny-warnings'] },
  { name: 'architecture', tests: ['test/architecture/*.test.ts'] },
  { name: 'check:registry', command: ['--import', 'tsx', 'scripts/check-registry.ts'] },
  { name: 'docs', command: ['--import', 'tsx', 'scripts/generate-docs.ts', '--check'] },
  {
    name: 'unit',
    tests: ['registry/**/*.test.ts', 'core/**/*.test.ts', 'plugins/*/test/**/*.test.ts', 'scripts/*.test.ts', 'test/suites/**/*.test.ts', 'test/pki/*.test.ts'],
    except: /conformance\.test\.ts$/,
  },
  { name: 'kit', tests: ['test/kit/*.test.ts', 'plugins/*/test/conformance.test.ts'] },
  { name: 'http', tests: ['test/http/**/*.test.ts'] },
];

const totals = { passed: 0, failed: [], skipped: [] };
for (const stage of stages) {
  if (wanted.length > 0 && !wanted.includes(stage.name)) continue;
  const started = Date.now();
  console.log(`\n${stage.name}`);
  const result = stage.command === undefined ? runMocha(stage) : runCommand(stage);
  totals.passed += result.passed;
  totals.failed.push(...result.failed);
  totals.skipped.push(...result.skipped);
  console.log(`  ${((Date.now() - started) / 1000).toFixed(1)} s`);
}
rmSync(scratch, { recursive: true, force: true });
report();

function bin(packageName, path) {
  return join(root, 'node_modules', packageName, path);
}

function runCommand({ name, command }) {
  const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status === 0) {
    console.log(`  ✓ ${name}`);
    return { passed: 1, failed: [], skipped: [] };
  }
  return { passed: 0, failed: [name], skipped: [] };
}

function runMocha({ name, tests, except }) {
  const files = tests.flatMap((pattern) => find(pattern)).filter((file) => except === undefined || !except.test(file));
  if (files.length === 0) {
    console.log('  no tests');
    return { passed: 0, failed: [], skipped: [] };
  }
  const results = join(scratch, `${name}.json`);
  const { status, signal } = spawnSync(process.execPath, [bin('mocha', 'bin/mocha.js'), ...files], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, QUIRE_TEST_RESULTS: results },
  });
  if (!existsSync(results)) return { passed: 0, failed: [`${name}: the test run ended early (${signal ?? `exit code ${status}`})`], skipped: [] };
  const { passed, failed, skipped } = JSON.parse(readFileSync(results, 'utf8'));
  const titles = failed.map((failure) => failure.title);
  if (status !== 0 && titles.length === 0) titles.push(`${name}: exit code ${status}`);
  return { passed, failed: titles, skipped };
}

/** Files for a pattern of `*` (within a folder) and `**` (any folders), sorted. Node 20 has no glob of its own. */
function find(pattern) {
  const parts = { '**/': '(?:.+/)?', '*': '[^/]*', '.': '\\.' };
  const expression = new RegExp(`^${pattern.replaceAll(/\*\*\/|[*.]/g, (part) => parts[part])}$`);
  return walk(pattern.slice(0, pattern.indexOf('*')).replace(/[^/]*$/, '')).filter((file) => expression.test(file)).sort();
}

function walk(folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules' || entry.name === 'dist') return [];
    const path = `${folder}${entry.name}`;
    return entry.isDirectory() ? walk(`${path}/`) : [path];
  });
}

/** A skip is allowed in CI only where CI cannot run the test: no MongoDB server can be had, or the corpus is not on the machine. */
function allowedSkip(title) {
  if (/mongodb/i.test(title)) return true;
  return /corpus/i.test(title) && !existsSync(process.env.QUIRE_CORPUS ?? join(root, '..', 'shared', 'corpus'));
}

function report() {
  console.log('');
  if (totals.skipped.length > 0) {
    console.log('Skipped:');
    for (const title of totals.skipped) console.log(`  ${title}`);
  }
  if (strict) {
    for (const title of totals.skipped.filter((skipped) => !allowedSkip(skipped))) totals.failed.push(`skipped, although CI can run it: ${title}`);
  }
  if (totals.failed.length > 0) {
    console.log('Failed:');
    for (const title of totals.failed) console.log(`  ${title}`);
  }
  console.log(`${totals.passed} passed, ${totals.failed.length} failed`);
  process.exitCode = totals.failed.length > 0 ? 1 : 0;
}
