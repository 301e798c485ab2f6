// npm run check:n8n -- [--cache .cache/n8n] [--lint-only]
//
// Checks clients/n8n with n8n's own linter and types, installs n8n (some 2 GB, once) and the packed node in it, and
// runs workflows with real files against a real server by `n8n execute`. Needs a C++ compiler, for n8n's database.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { PDFDocument } from 'pdf-lib';
import { makePdf } from '@quire/plugin-kit';
import { BuiltServer } from '../corpus/built-server.js';
import { installedN8n, lintedNode } from './install-n8n.js';
import { CREDENTIALS, workflows, type Workflow } from './workflows.js';

const { values } = parseArgs({
  options: { cache: { type: 'string', default: '.cache/n8n' }, 'lint-only': { type: 'boolean', default: false } },
});
const cache = resolve(values.cache);
mkdirSync(cache, { recursive: true });
const packageFolder = lintedNode(cache);
process.stdout.write("n8n's linter and compiler find nothing\n");
if (!values['lint-only']) await runWorkflows();

async function runWorkflows(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'quire-n8n-'));
  const server = await BuiltServer.start({ base: join(home, 'server') });
  const failures: string[] = [];
  try {
    const program = installedN8n(cache, packageFolder, home);
    const files = join(home, 'files');
    mkdirSync(files);
    for (const name of ['a.pdf', 'b.pdf']) writeFileSync(join(files, name), await makePdf({ pages: 2 }));
    const n8n = n8nIn(home, files, program);
    const known = workflows(files);
    importAll(n8n, home, server.url, Object.values(known));
    for (const [name, check] of Object.entries(checks(files))) {
      const output = n8n('execute', `--id=${known[name]?.id ?? ''}`, '--rawOutput');
      const fault = await check(output).catch((error: unknown) => String(error));
      process.stdout.write(
        `${fault === undefined ? 'passed' : 'FAILED'}: ${name}${fault === undefined ? '' : `: ${fault}`}\n`,
      );
      if (fault !== undefined) failures.push(`${name}\n${output}`);
    }
  } finally {
    await server.stop();
    rmSync(home, { recursive: true, force: true });
  }
  if (failures.length > 0) process.stdout.write(`${failures.join('\n\n')}\n`);
  process.exitCode = failures.length > 0 ? 1 : 0;
}

type Run = (...args: readonly string[]) => string;

function n8nIn(home: string, files: string, program: string): Run {
  const env = {
    ...process.env,
    N8N_USER_FOLDER: home,
    N8N_RESTRICT_FILE_ACCESS_TO: files,
    N8N_DIAGNOSTICS_ENABLED: 'false',
    N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
    N8N_ENCRYPTION_KEY: 'a key for this check only',
  };
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
