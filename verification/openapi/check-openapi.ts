// npm run check:openapi -- [--quick] [--no-fuzz] [--only <name>]
// Shows that tools of others accept the API document and generate clients that work; see README.md. `--quick`: only the
// validators. `--no-fuzz`: without schemathesis. `--only`: only the tools whose name contains this. Prints one line for
// each step, and what a tool says that fails; exits with 1 then.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { createTestServer } from '@quire/core';
import { clients, validators, type Client, type Place, type Step } from './checks.js';
import { fuzzer } from './fuzzer.js';
import { isRecognised, startWithLogin } from './login-server.js';
import { faultsOf } from './results.js';

const here = fileURLToPath(new URL('.', import.meta.url));
const only = process.argv.includes('--only') ? (process.argv[process.argv.indexOf('--only') + 1] ?? '') : '';
const isQuick = process.argv.includes('--quick');
const tools = process.env['QUIRE_OPENAPI_TOOLS'] ?? join(homedir(), '.cache', 'quire-openapi');

execFileSync('sh', [join(here, 'install.sh'), tools], { stdio: ['ignore', 2, 2] });
const work = mkdtempSync(join(tmpdir(), 'quire-openapi-'));
const server = await createTestServer({ settings: { system: { enableUrlToPDF: true } } });
/** Lines of a tool's output that are printed if it fails. */
const OUTPUT_LINES = 300;
let failed = 0;
try {
  const place = await prepare(await server.start(), 'login-off');
  for (const step of validators(place).filter(wanted)) await run(step);
  if (!isQuick) for (const client of clients(place).filter(wanted)) await runClient(client, place);
  // Last, because it changes what the server holds.
  const isFuzzed = !isQuick && !process.argv.includes('--no-fuzz');
  if (isFuzzed) for (const step of [fuzzer(place, { name: 'login off' })].filter(wanted)) await run(step);
} finally {
  await server.stop();
}
try {
  if (!isQuick && !process.argv.includes('--no-fuzz')) await fuzzWithLogin();
} finally {
  rmSync(work, { recursive: true, force: true });
}
process.exit(failed === 0 ? 0 : 1);

function wanted({ name }: { readonly name: string }): boolean {
  return name.includes(only);
}

/** Fuzzes a server with login, as each of its callers, and fails for a caller that locked itself out. */
async function fuzzWithLogin(): Promise<void> {
  const { url, server: withLogin, callers } = await startWithLogin();
  try {
    const place = await prepare(url, 'login-on');
    for (const caller of callers) {
      const step = fuzzer(place, caller);
      if (!wanted(step)) continue;
      await run(step);
      if (caller.only !== undefined || (await isRecognised(url, caller))) continue;
      failed += 1;
      console.log(`FAILED  ${step.name}: locked itself out`);
    }
  } finally {
    await withLogin.stop();
  }
}

/** Saves the document of the server at `url`; `prefix` tells the files of servers apart. */
async function prepare(url: string, prefix: string): Promise<Place> {
  const save = async (query: string, name: string): Promise<string> => {
    const file = join(work, `${prefix}-${name}`);
    writeFileSync(file, await (await fetch(`${url}/v1/api-docs${query}`)).text());
    return file;
  };
  // Beside the installed packages, so that clients can import them.
  const folder = join(tools, 'clients');
  return {
    tools,
    document: await save('', 'document.json'),
    newer: await save('?version=3.1', 'document-3.1.json'),
    url,
    input: join(here, '..', '..', 'core', 'openapi', 'fixtures', 'two-pages.pdf'),
    clients: folder,
  };
}

/** Runs the steps of a client until one fails. */
async function runClient({ name, program: [file, target], steps }: Client, { clients: folder }: Place): Promise<void> {
  const cwd = join(folder, name);
  rmSync(cwd, { recursive: true, force: true });
  mkdirSync(join(cwd, 'results'), { recursive: true });
  mkdirSync(dirname(join(cwd, target)), { recursive: true });
  cpSync(join(here, 'clients', name, file), join(cwd, target));
  for (const step of steps) if (!(await run({ ...step, name: `${name}, ${step.name}` }))) return;
}

/** Runs a step and prints whether it passed; returns that. */
async function run({ name, command, args, cwd, env, results, summary }: Step): Promise<boolean> {
  const begin = performance.now();
  // Programs of npm start the first `node` of the path, which must be new enough for them.
  const path = `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`;
  const { status, output } = await execute(command, args, { cwd, env: { ...process.env, PATH: path, ...env } });
  const faults = status === 0 && results !== undefined ? await faultsOf(results) : [];
  const passed = status === 0 && faults.length === 0;
  console.log(`${passed ? 'passed' : 'FAILED'}  ${name} (${Math.round((performance.now() - begin) / 1000)} s)`);
  if (passed) {
    for (const line of summary === undefined ? [] : (output.match(summary) ?? [])) console.log(`  ${line.trim()}`);
    return true;
  }
  failed += 1;
  console.log([...output.split('\n').slice(-OUTPUT_LINES), ...faults].join('\n'));
  return false;
}

/** Runs a program; asynchronously, because the server that it calls is in this process. */
async function execute(
  command: string,
  args: readonly string[],
  options: { readonly cwd: string | undefined; readonly env: NodeJS.ProcessEnv },
): Promise<{ readonly status: number | null; readonly output: string }> {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<{ status: number | null; error: string }>((resolve) => {
    child.on('error', (error) => resolve({ status: null, error: error.message }));
    child.on('close', (status) => resolve({ status, error: '' }));
  });
  const [stdout, stderr, { status, error }] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { status, output: `${stdout}${stderr}${error}` };
}
