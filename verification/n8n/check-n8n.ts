// npm run check:n8n -- [--cache .cache/n8n] [--lint-only] [--only trigger]
//
// Checks clients/n8n with n8n's own linter and types, installs n8n (some 2 GB, once) and the packed node in it, and
// runs workflows with real files against a real server: by `n8n execute`, and in a running n8n by its trigger. Needs a
// C++ compiler, for n8n's database. `--only` runs one workflow.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { PDFDocument } from 'pdf-lib';
import { makePdf } from '@quire/plugin-kit';
import { BuiltServer } from '../corpus/built-server.js';
import { installedN8n, lintedNode } from './install-n8n.js';
import { checkTrigger } from './trigger.js';
import { CREDENTIALS, triggeredWorkflow, workflows, type Workflow } from './workflows.js';

const { values } = parseArgs({
  options: {
    cache: { type: 'string', default: '.cache/n8n' },
    'lint-only': { type: 'boolean', default: false },
    only: { type: 'string' },
  },
});
const cache = resolve(values.cache);
mkdirSync(cache, { recursive: true });
const packageFolder = lintedNode(cache);
process.stdout.write("n8n's linter and compiler find nothing\n");
if (!values['lint-only']) await runWorkflows();

async function runWorkflows(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'quire-n8n-'));
  try {
    // Takes an hour the first time.
    const program = installedN8n(cache, packageFolder, home);
    // Call-backs to this machine are refused otherwise.
    const server = await BuiltServer.start({ base: join(home, 'server'), env: { OUTBOUND_ALLOWED: '127.0.0.1' } });
    const failures = await failuresOf(home, program, server.url).finally(() => server.stop());
    if (failures.length > 0) process.stdout.write(`${failures.join('\n\n')}\n`);
    process.exitCode = failures.length > 0 ? 1 : 0;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Runs all workflows and returns the output of those that failed. */
async function failuresOf(home: string, program: string, url: string): Promise<string[]> {
  const failures: string[] = [];
  const files = join(home, 'files');
  mkdirSync(files);
  for (const name of ['a.pdf', 'b.pdf']) writeFileSync(join(files, name), await makePdf({ pages: 2 }));
  const env = n8nSettings(home, files);
  const n8n = n8nIn(program, env);
  const known = workflows(files);
  const triggered = triggeredWorkflow(files);
  importAll(n8n, home, url, [...Object.values(known), triggered]);
  const isWanted = (name: string): boolean => values.only === undefined || values.only === name;
  for (const [name, check] of Object.entries(checks(files)).filter(([name]) => isWanted(name))) {
    const output = n8n('execute', `--id=${known[name]?.id ?? ''}`, '--rawOutput');
    const fault = await check(output).catch((error: unknown) => String(error));
    report(name, fault);
    if (fault !== undefined) failures.push(`${name}\n${output}`);
  }
  if (!isWanted('trigger')) return failures;
  const published = n8n('publish:workflow', `--id=${triggered.id}`);
  const fault = await checkTrigger({ program, env, url, files }).catch(String);
  report('trigger', fault);
  if (fault !== undefined) failures.push(`trigger\n${published}`);
  return failures;
}

function report(name: string, fault: string | undefined): void {
  process.stdout.write(fault === undefined ? `passed: ${name}\n` : `FAILED: ${name}: ${fault}\n`);
}

type Run = (...args: readonly string[]) => string;

function n8nSettings(home: string, files: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    N8N_USER_FOLDER: home,
    N8N_RESTRICT_FILE_ACCESS_TO: files,
    N8N_DIAGNOSTICS_ENABLED: 'false',
    N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
    N8N_ENCRYPTION_KEY: 'a key for this check only',
  };
}

function n8nIn(program: string, env: NodeJS.ProcessEnv): Run {
  return (...args) => {
    const { stdout, stderr } = spawnSync(process.execPath, [program, ...args], { env, encoding: 'utf8' });
    return `${stdout}\n${stderr}`;
  };
}

function importAll(n8n: Run, home: string, url: string, all: readonly Workflow[]): void {
  const credentials = join(home, 'credentials.json');
  const data = { baseUrl: url, apiKey: '' };
  writeFileSync(credentials, JSON.stringify([{ ...CREDENTIALS, type: 'quireApi', data }]));
  const file = join(home, 'workflows.json');
  writeFileSync(file, JSON.stringify(all));
  process.stdout.write(n8n('import:credentials', `--input=${credentials}`));
  process.stdout.write(n8n('import:workflow', `--input=${file}`));
}

type Check = (output: string) => Promise<string | undefined>;

/** What each workflow must have done; a check returns what is wrong. */
function checks(files: string): Readonly<Record<string, Check>> {
  const load = (name: string): Promise<PDFDocument> => PDFDocument.load(readFileSync(join(files, name)));
  const pages =
    (name: string, wanted: number): Check =>
    async () => {
      const found = (await load(name)).getPageCount();
      return found === wanted ? undefined : `${name} has ${found} pages, not ${wanted}`;
    };
  const rotated =
    (name: string): Check =>
    async () => {
      const { angle } = (await load(name)).getPage(0).getRotation();
      return angle === 90 ? undefined : `${name} is rotated by ${angle}`;
    };
  const says =
    (...texts: readonly string[]): Check =>
    async (output) => {
      const missing = texts.filter((text) => !output.includes(text));
      return missing.length === 0 ? undefined : `the output lacks ${missing.join(', ')}`;
    };
  return {
    rotate: rotated('rotated.pdf'),
    merge: pages('merged.pdf', 4),
    watermark: pages('marked.pdf', 2),
    job: rotated('job.pdf'),
    split: pages('page-1.pdf', 1),
    json: says('"pageCount": 2'),
    error: says('angle', 'INPUT_INVALID'),
    continued: says('"code": "INPUT_INVALID"', '"status": 400'),
  };
}
