// Runs every check: types, lint, architecture, registry, docs, then unit, kit and HTTP tests. `node tools/run-tests.mjs
// unit http` runs only these stages, `… unit core/jobs` only the test files in a folder. QUIRE_TEST_SEED=7 shuffles
// files and tests. The last line is always "N passed, N failed". On two quiet cores it takes about 25 minutes; what
// repeats one behaviour over many values is sampled, and done in full by verification/nightly/long-tests.sh
// (test/suites/nightly.ts).
import './node24.mjs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs, { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createCpuGroup } from './cpu-group.mjs';
import { startTestMongodb } from './mongodb/test-mongodb.mjs';
import { shuffled } from './shuffle.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'quire-tests-'));
const strict = process.env.QUIRE_CI === '1';
const [wanted, paths] = [false, true].map((isPath) =>
  process.argv.slice(2).filter((arg) => arg.includes('/') === isPath),
);
const seed = process.env.QUIRE_TEST_SEED ?? '';

/**
 * A stage with a `command` counts as one check; `tests` are patterns of mocha files, run as `parts` processes. All
 * share the slots: commands start in this order, and then the parts that use most CPU. A stage with `mongodb` gets one
 * at MONGODB_TEST_URL.
 */
const stages = [
  { name: 'types', command: [bin('typescript', 'bin/tsc'), '-p', 'tsconfig.test.json', '--noEmit'] },
  { name: 'lint', command: [bin('oxlint', 'bin/oxlint'), '--deny-warnings'] },
  { name: 'format', command: [bin('oxfmt', 'bin/oxfmt'), '--list-different', '.'] },
  { name: 'exports', command: [bin('knip', 'bin/knip.js'), '--no-progress', '--no-config-hints'] },
  { name: 'notices', command: ['tools/supply-chain/third-party-notices.mjs', '--check'] },
  { name: 'check:registry', command: ['--import', 'tsx', 'tools/check-registry.ts'] },
  { name: 'docs', command: ['--import', 'tsx', 'tools/generate-docs.ts', '--check'] },
  { name: 'architecture', tests: ['test/architecture/*.test.ts'] },
  {
    name: 'http',
    tests: [
      'test/http/**/*.test.ts',
      'test/console/*.test.ts',
      'test/examples/*.test.ts',
      'clients/*/test/**/*.test.ts',
      'cli/test/*.test.ts',
    ],
    parts: 6,
    mongodb: true,
  },
  {
    name: 'kit',
    tests: ['test/kit/*.test.ts', 'plugins/*/test/conformance.test.ts'],
    parts: 4,
    // Everything is sent in the nightly run (verification/nightly/long-tests.sh).
    env: { QUIRE_KIT_EXTENT: 'sample' },
  },
  {
    name: 'unit',
    tests: [
      'registry/**/*.test.ts',
      'core/**/*.test.ts',
      'plugins/*/test/**/*.test.ts',
      'document/test/**/*.test.ts',
      'tools/**/*.test.ts',
      'verification/**/*.test.ts',
      'bench/**/*.test.ts',
      'deploy/**/*.test.ts',
      'test/suites/**/*.test.ts',
      'test/pki/*.test.ts',
    ],
    except: /conformance\.test\.ts$/,
    parts: 10,
    mongodb: true,
  },
  // Only on request: the HTTP tests again, with every answer validated against the API document (`test/answers`).
  {
    name: 'answers',
    tests: ['test/http/**/*.test.ts'],
    parts: 6,
    mongodb: true,
    require: './test/answers/hold-answers.ts',
  },
];
/**
 * Tests spend nearly a third of their time waiting for servers, programs and clocks: one process more than cores keeps
 * the cores busy. Four on two cores took as long as three, and tests that wait for something ran out of time.
 */
const slots = Math.min(3, availableParallelism() + 1);
/**
 * Seconds of CPU of the test files that used at least MEASURED_SECONDS in a complete run. QUIRE_TEST_COSTS=1 writes
 * what this run measured; needed only when a file has become much longer or shorter.
 */
const costsFile = join(root, 'tools', 'test-costs.json');
const costs = JSON.parse(readFileSync(costsFile, 'utf8'));
const MEASURED_SECONDS = 3;
/** Of a file that is not in the list, its imports included. */
const USUAL_SECONDS = 1;
/** Programs in Java run too short for its second compiler: without it they use half of the CPU. */
const JAVA_OPTIONS = '-XX:+UseSerialGC -XX:TieredStopAtLevel=1';

const totals = { passed: 0, failed: [], skipped: [], files: {}, cpu: {}, cpuSeconds: 0, repeatable: [], repeated: [] };
const add = ({ passed, failed, skipped, files = {}, cpu = {}, cpuSeconds = 0, repeatable = [] }) => {
  totals.passed += passed;
  totals.failed.push(...failed);
  totals.skipped.push(...skipped);
  totals.repeatable.push(...repeatable);
  Object.assign(totals.files, files);
  Object.assign(totals.cpu, cpu);
  totals.cpuSeconds += cpuSeconds;
};
/** Groups that count CPU time; one can be removed when nothing of its part runs any more. */
const groups = [];
/** Failures of more files than this are no accident. */
const repeatedFiles = 8;
/** Lines of a failure in the summary. */
const SHOWN_LINES = 6;
let mongodb;
/** Parts that are running; they end with this process. */
const children = new Set();
function started(child) {
  children.add(child);
  child.once('close', () => children.delete(child));
  return child;
}
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    for (const child of children) child.kill();
    void Promise.resolve(mongodb?.stop()).finally(() => process.exit(1));
  });
const chosen = stages.filter(({ name, require, command }) =>
  wanted.length === 0 ? require === undefined && (paths.length === 0 || command === undefined) : wanted.includes(name),
);
if (chosen.some((stage) => stage.mongodb)) await startMongodb();
const builtAt = readStamp();
await runAll([
  ...chosen.filter(({ tests }) => tests === undefined),
  ...chosen
    .filter(({ tests }) => tests !== undefined)
    .flatMap(partsOf)
    .sort((one, other) => costOf(other.files) - costOf(one.files)),
]);
if (process.env.QUIRE_TEST_COSTS === '1') writeCosts();
if (strict) await repeatFailed();
// A build beside running tests takes files away that they are loading.
if (readStamp() !== builtAt) totals.failed.push('a test built the product again (tools/ensure-built.mjs says when)');
await mongodb?.stop();
for (const group of groups) group.remove();
rmSync(scratch, { recursive: true, force: true });
report();

function readStamp() {
  const stamp = join(root, 'node_modules', '.quire-built');
  return existsSync(stamp) ? readFileSync(stamp, 'utf8') : undefined;
}

/** One server for all stages that need it; every test creates a database of its own. */
async function startMongodb() {
  try {
    mongodb = await startTestMongodb();
  } catch (error) {
    totals.failed.push(`the MongoDB for tests: ${error.message}`);
  }
  if (mongodb === undefined) console.log('\nno MongoDB server for tests (tools/install-mongodb.sh)');
  else {
    if (mongodb.name !== 'MONGODB_TEST_URL') process.env.MONGODB_TEST_STARTED = '1';
    process.env.MONGODB_TEST_URL = mongodb.url;
  }
}

function bin(packageName, path) {
  return join(root, 'node_modules', packageName, path);
}

/** Prints what the check prints at its end, in one piece: tests run beside it. */
async function runCommand({ name, command }) {
  const child = started(spawn(process.execPath, command, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] }));
  const printed = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => printed.push(data));
  const [status] = await once(child, 'close');
  process.stdout.write(Buffer.concat(printed));
  if (status !== 0) return { passed: 0, failed: [name], skipped: [] };
  console.log(`  ✓ ${name}`);
  return { passed: 1, failed: [], skipped: [] };
}

/** Returns the processes of a stage, which use about the same CPU; in a shuffled run, every n-th file of the order. */
function partsOf({ name, tests, except, require, env, parts = 1 }) {
  const found = tests
    .flatMap((pattern) => find(pattern))
    .filter((file) => except === undefined || !except.test(file))
    .filter((file) => paths.length === 0 || paths.some((path) => file.startsWith(path)));
  const files = seed === '' ? found : shuffled(found, Number(seed));
  if (files.length === 0) console.log(`\n${name}\n  no tests`);
  const split = Array.from({ length: parts }, (_, part) => files.filter((_file, i) => i % parts === part));
  const filled = (seed === '' ? balanced(files, parts) : split).filter((part) => part.length > 0);
  return filled.map((part, i) => ({
    name: filled.length === 1 ? name : `${name} ${i + 1} of ${filled.length}`,
    files: part,
    require,
    env,
  }));
}

/** Splits files into lists of about the same CPU: the longest first, each to the list that has least. */
function balanced(files, parts) {
  const lists = Array.from({ length: parts }, () => []);
  for (const file of files.toSorted((one, other) => costOf([other]) - costOf([one])))
    lists.reduce((least, list) => (costOf(list) < costOf(least) ? list : least)).push(file);
  return lists.map((list) => list.sort());
}

function costOf(files) {
  return files.reduce((sum, file) => sum + (costs[file] ?? USUAL_SECONDS), 0);
}

/** Only of a run of everything: other files keep no cost. */
function writeCosts() {
  const long = Object.entries(totals.cpu).filter(([, seconds]) => seconds >= MEASURED_SECONDS);
  const rows = long
    .map(([file, seconds]) => [file, Math.round(seconds)])
    .sort(([one], [other]) => (one < other ? -1 : 1));
  writeFileSync(costsFile, `${JSON.stringify(Object.fromEntries(rows), undefined, 2)}\n`);
}

async function runAll(waiting) {
  const work = async () => {
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
      const started = Date.now();
      console.log(`\n${part.name}`);
      const results = await (part.command === undefined ? runMocha(part) : runCommand(part));
      add(results);
      const used = results.cpuSeconds === undefined ? '' : `, ${results.cpuSeconds.toFixed(1)} s of CPU`;
      console.log(`\n${part.name}: ${seconds(started)}${used}`);
    }
  };
  await Promise.all(Array.from({ length: slots }, work));
}

/**
 * Runs files with failed tests again, with nothing beside them: CI machines stall for seconds now and then. What
 * passes then counts as passed and is listed by name; what fails in both runs has failed.
 */
async function repeatFailed() {
  const parts = new Map();
  for (const { file, part } of totals.repeatable) parts.set(file, part);
  if (parts.size === 0 || parts.size > repeatedFiles) return;
  for (const [file, part] of parts) {
    const first = totals.repeatable.filter((failure) => failure.file === file).map(({ title }) => title);
    console.log(`\nagain, alone: ${file}`);
    const again = await runMocha({ ...part, name: `again ${file.replaceAll('/', '-')}`, files: [file] });
    const recovered = first.filter((title) => !again.failed.includes(title));
    // A run that failed anew, or ended early, excuses nothing.
    if (again.failed.some((title) => !first.includes(title))) continue;
    totals.failed = totals.failed.filter((title) => !recovered.includes(title));
    totals.passed += recovered.length;
    totals.repeated.push(...recovered);
  }
}

async function runMocha({ name, files, require, env }) {
  const results = join(scratch, `${name.replaceAll(' ', '-')}.json`);
  const hooks = [...(require === undefined ? [] : [require]), ...(seed === '' ? [] : ['./tools/shuffle-tests.mjs'])];
  const group = createCpuGroup(`quire-tests-${process.pid}-${name.replaceAll(' ', '-')}`);
  const child = started(
    spawn(process.execPath, [bin('mocha', 'bin/mocha.js'), ...hooks.flatMap((hook) => ['--require', hook]), ...files], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: {
        ...process.env,
        JDK_JAVA_OPTIONS: JAVA_OPTIONS,
        QUIRE_TEST_DOCUMENTS: join(scratch, 'api-docs'),
        ...env,
        QUIRE_TEST_RESULTS: results,
        QUIRE_TEST_CPU: group?.counter ?? '',
      },
    }),
  );
  group?.add(child.pid);
  if (group !== undefined) groups.push(group);
  const [status, signal] = await once(child, 'close');
  if (!existsSync(results))
    return {
      passed: 0,
      failed: [`${name}: the test run ended early (${signal ?? `exit code ${status}`})`],
      skipped: [],
    };
  const { passed, failed, skipped, files: times, cpu, cpuSeconds } = JSON.parse(readFileSync(results, 'utf8'));
  const titles = failed.map((failure) => failure.title);
  if (status !== 0 && titles.length === 0) titles.push(`${name}: exit code ${status}`);
  const repeatable = failed.map((failure) => ({ ...failure, part: { require, env } }));
  return { passed, failed: titles, skipped, files: times, cpu, cpuSeconds, repeatable };
}

/** Returns the files that match a glob pattern, sorted. */
function find(pattern) {
  // Not a named import: Node 20, which only starts Node 24, has no such export.
  return fs
    .globSync(pattern, { cwd: root, exclude: (name) => name === 'node_modules' || name === 'dist' })
    .map((file) => file.replaceAll('\\', '/'))
    .sort();
}

/** CI may skip a test only when it cannot run it: the corpus is not on the machine. */
function allowedSkip(title) {
  return /corpus/i.test(title) && !existsSync(process.env.QUIRE_CORPUS ?? join(root, '..', 'shared', 'corpus'));
}

function seconds(since) {
  return `${((Date.now() - since) / 1000).toFixed(1)} s`;
}

/** Prints the files and folders to look at first when the tests take too long: nearly all the time is computing. */
function slowest() {
  if (Object.values(totals.files).every((ms) => ms < 5000)) return;
  printLongest('Slowest files', Object.keys(totals.files), (file) => file, 25);
  const folderOf = (file) => file.split('/').slice(0, -1).slice(0, 3).join('/');
  printLongest('Slowest folders', Object.keys(totals.files), folderOf, 20);
  const used = Object.values(totals.cpu).reduce((sum, each) => sum + each, 0);
  console.log(`CPU: ${totals.cpuSeconds.toFixed(0)} s, ${(totals.cpuSeconds - used).toFixed(0)} of them to load tests`);
}

/** Prints CPU seconds, child processes included, and elapsed seconds of the groups of files that use most. */
function printLongest(title, files, groupOf, count) {
  const groups = {};
  for (const file of files) {
    const group = (groups[groupOf(file)] ??= { cpu: 0, ms: 0 });
    group.cpu += totals.cpu[file] ?? 0;
    group.ms += totals.files[file];
  }
  console.log(`${title} (seconds of CPU, elapsed):`);
  const sorted = Object.entries(groups).sort(([, a], [, b]) => b.cpu - a.cpu);
  for (const [group, { cpu, ms }] of sorted.slice(0, count))
    console.log(`  ${cpu.toFixed(1).padStart(6)} ${(ms / 1000).toFixed(1).padStart(6)}  ${group}`);
}

/** With its first lines: what was printed when it happened may be far above, or not kept. */
function printFailure(title) {
  console.log(`  ${title}`);
  const message = totals.repeatable.find((failure) => failure.title === title)?.message ?? '';
  for (const line of message.split('\n').slice(0, SHOWN_LINES)) if (line !== '') console.log(`      ${line.trim()}`);
}

function report() {
  console.log('');
  slowest();
  if (totals.skipped.length > 0) {
    console.log('Skipped:');
    for (const title of totals.skipped) console.log(`  ${title}`);
  }
  if (totals.repeated.length > 0) {
    console.log('Failed beside other tests, passed alone:');
    for (const title of totals.repeated) printFailure(title);
  }
  if (strict) {
    for (const title of totals.skipped.filter((skipped) => !allowedSkip(skipped)))
      totals.failed.push(`skipped, although CI can run it: ${title}`);
  }
  if (totals.failed.length > 0) {
    console.log('Failed:');
    for (const title of totals.failed) printFailure(title);
  }
  console.log(`${totals.passed} passed, ${totals.failed.length} failed`);
  process.exitCode = totals.failed.length > 0 ? 1 : 0;
}
