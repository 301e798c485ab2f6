// npm run corpus -- <folder> [--operations rotate,merge] [--limit N] [--only good,warn] [--whole] [--out table.csv]
// [--url http://…] [--page docs/reports/corpus.md]
//
// --with table.csv adds the rows of operations that are not part of this run from the table of an earlier run.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { BuiltServer } from './built-server.js';
import { callsOf, defaultOperations, operationNames, sampleSizes, spread, type CorpusCall } from './calls.js';
import { checkInput, checkOutput, unchanged } from './check-output.js';
import { corpusFiles, type CorpusFile } from './corpus-files.js';
import { judge, type Answer, type CorpusRow } from './judge.js';
import { corpusPage, csvTable, rowsOfTable, withNotes } from './report.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    operations: { type: 'string' },
    limit: { type: 'string' },
    only: { type: 'string' },
    match: { type: 'string' },
    whole: { type: 'boolean', default: false },
    out: { type: 'string' },
    page: { type: 'string' },
    url: { type: 'string' },
    log: { type: 'string' },
    root: { type: 'string' },
    with: { type: 'string', multiple: true, default: [] },
  },
});
const [folder] = positionals;
if (folder === undefined) throw new Error('no folder given: npm run corpus -- <folder>');
const operations = values.operations?.split(',') ?? defaultOperations;
const unknown = operations.filter((name) => callsOf[name] === undefined);
if (unknown.length > 0)
  throw new Error(`unknown operations ${unknown.join(', ')}; known: ${Object.keys(callsOf).join(', ')}`);

const files = (await corpusFiles(resolve(folder)))
  .filter(
    ({ fileClass, name }) =>
      (values.only === undefined || values.only.split(',').includes(fileClass)) &&
      (values.match === undefined || name.includes(values.match)),
  )
  .slice(0, values.limit === undefined ? undefined : Number(values.limit));
const temporary = await mkdtemp(join(tmpdir(), 'quire-corpus-'));
const server =
  values.url === undefined
    ? await BuiltServer.start({
        base: join(temporary, 'base'),
        logFile: values.log ?? join(temporary, 'server.log'),
        ...(values.root === undefined ? {} : { root: values.root }),
      })
    : undefined;
const url = server?.url ?? values.url ?? '';
if (server !== undefined && operations.includes('labels')) {
  const body = JSON.stringify({
    integrationType: 'PURVIEW',
    name: 'corpus',
    config: { tenantId: '77777777-7777-4777-8777-777777777777' },
  });
  const made = await fetch(`${url}/api/v1/integrations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  if (!made.ok) throw new Error(`the connection for labels could not be created: ${await made.text()}`);
}
const workers = availableParallelism();
/**
 * Filters return the files that they keep, auto-rename changes only the name, labels are only read, and compress
 * returns the input when nothing is smaller.
 */
const unchangedAllowed = /^(filter\/|misc\/compress-pdf$|misc\/auto-rename$|integration\/purview-read-label$)/;
const earlier = (
  await Promise.all(values.with.map(async (table) => rowsOfTable(await readFile(table, 'utf8'))))
).flat();
const rows: CorpusRow[] = [];
const started = performance.now();
try {
  for (const operation of operations) {
    const before = rows.length;
    const called = values.whole ? files : spread(files, sampleSizes[operation] ?? files.length);
    const pending = called.flatMap((file) => (callsOf[operation]?.(file) ?? []).map((call) => ({ file, call })));
    const found: CorpusRow[] = [];
    await Promise.all(
      Array.from({ length: workers }, async () => {
        for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
          const row = await measure(next.file, next.call);
          found.push(row);
          if (row.fault !== '')
            process.stdout.write(`  ${row.operation}: ${row.file} (${row.fileClass}): ${row.fault} ${row.note}\n`);
        }
      }),
    );
    rows.push(...found.sort(byOperation));
    if (values.out !== undefined) await writeFile(values.out, csvTable(rows));
    process.stdout.write(
      `${operation}: ${rows.length - before} calls, ${found.filter(({ fault }) => fault !== '').length} faults\n`,
    );
  }
  await new Promise((done) => setTimeout(done, 500));
  const leftovers = (await server?.leftovers()) ?? [];
  if (leftovers.length > 0) process.stdout.write(`left behind: ${leftovers.join(', ')}\n`);
  const now = new Set(rows.map(({ operation }) => operation));
  const all = [...rows, ...earlier.filter(({ operation }) => !now.has(operation))].sort(byOperation);
  const page = corpusPage(all, {
    commands: [
      [
        'npm run corpus --',
        folder,
        ...(values.operations === undefined ? [] : [`--operations ${values.operations}`]),
        ...(values.only === undefined ? [] : [`--only ${values.only}`]),
      ].join(' '),
    ],
    date: new Date().toISOString().slice(0, 10),
    files: files.length,
    calls: rows.length,
    seconds: (performance.now() - started) / 1000,
    leftovers,
    workers,
  });
  if (values.page === undefined) process.stdout.write(`\n${page}`);
  else await writeFile(values.page, withNotes(page, await readFile(values.page, 'utf8').catch(() => '')));
  process.exitCode = rows.some(({ fault }) => fault !== '') || leftovers.length > 0 ? 1 : 0;
} finally {
  await server?.stop();
  await rm(temporary, { recursive: true, force: true });
}

function byOperation(a: CorpusRow, b: CorpusRow): number {
  return (
    operationNames.indexOf(a.operation) - operationNames.indexOf(b.operation) ||
    classOrder(a) - classOrder(b) ||
    a.file.localeCompare(b.file, 'en')
  );
}

function classOrder({ fileClass }: CorpusRow): number {
  return ['good', 'warn', 'bad', 'unknown'].indexOf(fileClass);
}

async function measure(file: CorpusFile, call: CorpusCall): Promise<CorpusRow> {
  const answer = await post(file, call);
  const { check } = answer;
  const first = judge(file, call, answer);
  const fault = first === '' ? '' : judge(file, call, answer, await checkInput(file.path));
  return {
    file: file.name,
    fileClass: file.fileClass,
    operation: call.operation,
    status: answer.status,
    code: answer.code,
    ms: Math.round(answer.ms),
    pagesIn: file.pages,
    pagesOut: check?.pages,
    qpdf: check?.verdict ?? '-',
    fault,
    note:
      first !== '' && fault === ''
        ? `as the input is: ${first}`
        : answer.detail !== ''
          ? answer.detail
          : (check?.message ?? ''),
  };
}

async function post(file: CorpusFile, call: CorpusCall): Promise<Answer> {
  const bytes = await readFile(file.path);
  const form = new FormData();
  for (let i = 0; i < call.copies; i++)
    form.append('fileInput', new Blob([new Uint8Array(bytes)], { type: 'application/pdf' }), basename(file.name));
  for (const [name, value] of Object.entries(call.fields)) form.append(name, value);
  const begin = performance.now();
  const sent = bytes.length * call.copies;
  try {
    const response = await fetch(`${url}/api/v1/${call.path}`, {
      method: 'POST',
      body: form,
      signal: AbortSignal.timeout(120_000),
    });
    const body = new Uint8Array(await response.arrayBuffer());
    const ms = performance.now() - begin;
    if (response.status >= 400) return { status: response.status, ms, sent, received: body.length, ...problem(body) };
    const same = unchangedAllowed.test(call.path) && Buffer.compare(body, bytes) === 0;
    const check =
      response.status === 204 || call.other === true
        ? undefined
        : same
          ? unchanged
          : await checkOutput(body, temporary);
    return {
      status: response.status,
      code: '',
      detail: '',
      ms,
      sent,
      received: body.length,
      ...(check === undefined ? {} : { check }),
    };
  } catch (error) {
    return {
      status: 0,
      code: '',
      detail: error instanceof Error ? `${error.message} ${String(error.cause ?? '')}` : String(error),
      ms: performance.now() - begin,
      sent,
      received: 0,
    };
  }
}

function problem(body: Uint8Array): { code: string; detail: string } {
  try {
    const { code, detail } = JSON.parse(Buffer.from(body).toString('utf8')) as { code?: string; detail?: string };
    return { code: code ?? '', detail: detail ?? '' };
  } catch {
    return { code: '', detail: '' };
  }
}
