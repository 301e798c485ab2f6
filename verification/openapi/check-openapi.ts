// npm run check:openapi [-- --quick]
// Shows that tools of others accept the API document and generate clients that work; see README.md. `--quick`: only the
// validators. Prints one line for each tool, and what a tool says that rejects something; exits with 1 then.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestServer } from '@quire/core';

interface Check {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

const here = fileURLToPath(new URL('.', import.meta.url));
const tools = process.env['QUIRE_OPENAPI_TOOLS'] ?? join(homedir(), '.cache', 'quire-openapi');
const bin = (name: string): string => join(tools, 'node_modules', '.bin', name);
const python = (name: string): string => join(tools, 'python', 'bin', name);

execFileSync('sh', [join(here, 'install.sh'), tools], { stdio: ['ignore', 2, 2] });
const work = mkdtempSync(join(tmpdir(), 'quire-openapi-'));
const server = await createTestServer({ settings: { system: { enableUrlToPDF: true } } });
let failed = 0;
try {
  const url = await server.start();
  const document = await save(url, '', 'document.json');
  const newer = await save(url, '?version=3.1', 'document-3.1.json');
  for (const check of validators(document, newer)) run(check);
  if (!process.argv.includes('--quick')) for (const check of generators(document, url)) run(check);
} finally {
  await server.stop();
  rmSync(work, { recursive: true, force: true });
}
process.exit(failed === 0 ? 0 : 1);

async function save(url: string, query: string, name: string): Promise<string> {
  const file = join(work, name);
  writeFileSync(file, await (await fetch(`${url}/v1/api-docs${query}`)).text());
  return file;
}

function validators(document: string, newer: string): Check[] {
  const ruleset = join(here, 'spectral.yaml');
  const generator = ['-jar', join(tools, 'openapi-generator.jar')];
  return [
    { name: 'openapi-spec-validator', command: python('openapi-spec-validator'), args: [document] },
    { name: 'openapi-spec-validator, 3.1', command: python('openapi-spec-validator'), args: [newer] },
    { name: 'redocly', command: bin('redocly'), args: ['lint', document, '--format', 'summary'] },
    { name: 'redocly, 3.1', command: bin('redocly'), args: ['lint', newer, '--format', 'summary'] },
    { name: 'spectral', command: bin('spectral'), args: ['lint', document, '-r', ruleset, '--fail-severity', 'warn'] },
    { name: 'openapi-generator', command: 'java', args: [...generator, 'validate', '-i', document] },
  ];
}

/** In order: later entries use what earlier ones have written. */
function generators(document: string, url: string): Check[] {
  const client = join(tools, 'client');
  rmSync(client, { recursive: true, force: true });
  mkdirSync(client);
  // Beside the installed packages, so that it can import them.
  cpSync(join(here, 'clients', 'six-calls.mts'), join(client, 'six-calls.mts'));
  const compile = ['--strict', '--noEmit', '--skipLibCheck', '--target', 'es2022', '--module', 'nodenext'];
  const output = join(work, 'python');
  const config = join(here, 'python-client.yaml');
  const generate = ['generate', '--path', document, '--output-path', output, '--meta', 'none', '--config', config];
  return [
    {
      name: 'openapi-typescript',
      command: bin('openapi-typescript'),
      args: [document, '-o', join(client, 'api.d.ts')],
    },
    { name: 'openapi-typescript, types', command: bin('tsc'), args: [...compile, join(client, 'six-calls.mts')] },
    {
      name: 'openapi-typescript, six calls',
      command: process.execPath,
      args: ['--import', 'tsx', join(client, 'six-calls.mts'), url, join(here, '..', '..')],
    },
    { name: 'openapi-python-client', command: python('openapi-python-client'), args: generate },
    { name: 'openapi-python-client, compiled', command: python('python'), args: ['-m', 'compileall', '-q', output] },
  ];
}

function run({ name, command, args }: Check): void {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  console.log(`${status === 0 ? 'accepted' : 'REJECTED'}  ${name}`);
  if (status === 0) return;
  failed += 1;
  console.log(`${stdout}${stderr}${error?.message ?? ''}`.split('\n').slice(-40).join('\n'));
}
