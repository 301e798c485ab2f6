import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  DefectError,
  InputError,
  fileReturns,
  passwordsOf,
  tokens,
  writingWith,
  type AnyOperation,
  type FileReturns,
  type Logger,
  type Plugin,
  type SettingsReader,
  type Token,
} from '@quire/registry';
import { blameInput, blamePassword, inFile } from '../runner/blame-input.js';
import { archiveName, uniqueNames } from '../runner/file-names.js';
import { checkOutputKind, expectedPages, isPdf, runOperation } from '../runner/operation-run.js';
import type {
  InspectTask,
  PluginTask,
  RunOutcome,
  RunTask,
  SignatureFacts,
  UnzipTask,
  WireFile,
  ZipTask,
} from './protocol.js';
import type { ServiceProxies } from './service-proxy.js';
import { checkSignedBytes, refuseSigned, writingOf } from '../runner/signed-input.js';
import { unzip } from '../runner/unzip.js';

/** Ways for a task to speak to the server. */
export interface TaskHost {
  readonly signal: AbortSignal;
  /** Services of the server, by message. */
  readonly services: ServiceProxies;
  log(level: 'debug' | 'info' | 'warn' | 'error', data: object, message: string): void;
  progress(done: number, total: number): void;
}

interface Inspected {
  readonly pages: number[];
  /** Of each file, in order. */
  readonly signatures: SignatureFacts[];
}

/**
 * Opens the PDFs among the files; PDF_DAMAGED, PDF_ENCRYPTED and page limits are thrown from here for all operations
 * alike.
 */
async function inspect(
  files: readonly WireFile[],
  maxPages: number,
  field: string,
  password?: string,
): Promise<Inspected> {
  const pages: number[] = [];
  const signatures: SignatureFacts[] = [];
  const { inspectPdf } = await import('@quire/document/file/inspection');
  for (const [at, file] of files.entries()) {
    if (!isPdf(file)) {
      signatures.push({ signed: false });
      continue;
    }
    const facts = await inspectPdf(
      { path: file.path },
      { maxPages, ...(password === undefined ? {} : { password }) },
    ).catch((error: unknown) => {
      throw inFile(error, field, files, at);
    });
    pages.push(facts.pages);
    signatures.push(signatureFacts(facts));
  }
  return { pages, signatures };
}

/**
 * Looks for signatures in files that the operation opens by itself; what cannot be opened has none that could be kept.
 */
async function lookForSignatures(files: readonly WireFile[]): Promise<SignatureFacts[]> {
  const { inspectSignatures } = await import('@quire/document/file/inspection');
  return Promise.all(
    files.map(async (file) => (isPdf(file) ? inspectSignatures({ path: file.path }) : { signed: false })),
  );
}

function signatureFacts({ signed, certified }: SignatureFacts): SignatureFacts {
  return certified === undefined ? { signed } : { signed, certified };
}

/** Runs an operation: opens its inputs, runs it, reopens its outputs, checks what the declaration promises. */
export async function runTask(declared: AnyOperation, task: RunTask, host: TaskHost): Promise<RunOutcome> {
  const { startSourceCache, closeCachedSources, takeWithdrawnRights } = await import('@quire/document/file/source');
  startSourceCache();
  takeWithdrawnRights();
  try {
    const outcome = await run(writingWith(declared, task.params), task, host);
    return takeWithdrawnRights() ? { ...outcome, report: { usageRights: 'removed', ...outcome.report } } : outcome;
  } catch (error) {
    throw blamePassword(error, declared, task.params);
  } finally {
    // What one step left open for the next, and the next had no use for.
    closeCachedSources();
  }
}

async function run(operation: AnyOperation, task: RunTask, host: TaskHost): Promise<RunOutcome> {
  const returns = fileReturns(operation);
  const checked = operation.input !== 'raw';
  const passwords = passwordsOf(operation, task.params);
  const before: Inspected = checked
    ? await inspect(task.files, task.maxPages, 'fileInput', passwords.input)
    : { pages: [], signatures: operation.writes === undefined ? [] : await lookForSignatures(task.files) };
  refuseSigned(operation, task.policy, before.signatures);
  const log: Logger = {
    debug: (data, message) => host.log('debug', data, message),
    info: (data, message) => host.log('info', data, message),
    warn: (data, message) => host.log('warn', data, message),
    error: (data, message) => host.log('error', data, message),
  };
  const settings: SettingsReader = { get: <T>(path: string) => task.settings[path] as T };
  const services = new Map<string, unknown>([
    [tokens.logger.name, log],
    [tokens.clock.name, { now: () => new Date() }],
    [tokens.settings.name, settings],
  ]);
  const use = <T>(token: Token<T>): T => {
    if (services.has(token.name)) return services.get(token.name) as T;
    // The table here says what crosses, not the token that a plugin brought along.
    const known = Object.values(tokens).find(({ name }) => name === token.name) as Token<T> | undefined;
    const service = known === undefined ? undefined : host.services.of(known, settings);
    if (service === undefined)
      throw new DefectError('CONTRACT_BROKEN', {
        operation: operation.path,
        detail: `the service ${token.name} does not reach workers`,
      });
    return service;
  };
  const raw = await runOperation(operation, task.params, task.files, task.parts, {
    folder: task.folder,
    writing: writingOf(operation, task.policy),
    signal: host.signal,
    inPipeline: task.inPipeline,
    use,
    progress: host.progress,
  }).catch((error: unknown) => {
    throw blameInput(error, 'fileInput');
  });
  const signatures = await checkSignedBytes(
    {
      operation,
      policy: task.policy,
      files: task.files,
      signatures: before.signatures,
      needsRepair: async ({ path }) => (await import('@quire/document/file/inspection')).needsRepair({ path }),
    },
    raw,
  );
  const outputPages = await checkOutputs(
    operation,
    raw.outputs,
    new Map(task.files.map(({ path }, i) => [path, before.pages[i]])),
    returns === undefined ? undefined : expectedPages(returns, before.pages, task.params),
    passwords.result,
  );
  if (returns !== undefined && checked)
    await checkPages(operation, returns, task, before.pages, raw.outputs, outputPages);
  const archive = task.zip && !raw.isJson ? await archiveOf(operation, task, raw.outputs) : undefined;
  return { ...raw, ...(archive === undefined ? {} : { archive }), inputPages: before.pages, outputPages, signatures };
}

/**
 * Holds the outputs' pages against the declaration. Where the pages of a damaged document are a matter of opinion, what
 * our own reader and the document model see counts as well, since operations work on that. Errors: CONTRACT_BROKEN;
 * PDF_DAMAGED when readers disagree about the input.
 */
async function checkPages(
  operation: AnyOperation,
  returns: FileReturns<never>,
  task: RunTask,
  before: readonly number[],
  outputs: readonly WireFile[],
  outputPages: readonly number[],
): Promise<void> {
  const expected = expectedPages(returns, before, task.params);
  const found = outputPages.reduce((sum, count) => sum + count, 0);
  if (expected === undefined || expected === found) return;
  const { inspectPdf } = await import('@quire/document/file/inspection');
  let own = 0;
  for (const output of outputs.filter(isPdf))
    own += await inspectPdf({ path: output.path }).then(
      ({ pages }) => pages,
      () => 0,
    );
  if (expected === own) return;
  const { withPdf } = await import('@quire/document/file/open');
  const recounted: number[] = [];
  for (const file of task.files.filter(isPdf)) {
    recounted.push(await withPdf({ path: file.path }, {}, ({ pages }) => pages.length).catch(() => 0));
  }
  if (expectedPages(returns, recounted, task.params) === found) return;
  if (recounted.some((count, i) => count !== before[i]))
    throw new InputError('PDF_DAMAGED', { field: 'fileInput', detail: 'readers disagree about its number of pages' });
  throw new DefectError('CONTRACT_BROKEN', {
    operation: operation.path,
    detail: `promised ${expected} pages and gave ${found}`,
  });
}

/**
 * Reopens every output, with an engine that did not write it: what cannot be read again is never handed out. With a
 * password it must open so, and not without. An input that is handed on as it came was opened before.
 */
async function checkOutputs(
  operation: AnyOperation,
  outputs: readonly WireFile[],
  inputs: ReadonlyMap<string, number | undefined>,
  expected: number | undefined,
  password: string | undefined,
): Promise<number[]> {
  const pages: number[] = [];
  // Whether a PDF is one is told by opening it.
  for (const output of outputs) if (!isPdf(output)) await checkOutputKind(operation, output);
  // What an operation found in a document and hands out as it was may be locked or broken: it is not of its making.
  const pdfs = fileReturns(operation)?.kind === 'any' ? [] : outputs.filter(isPdf);
  if (pdfs.length === 0) return pages;
  for (const output of pdfs) {
    const known = inputs.get(output.path);
    if (known !== undefined) {
      pages.push(known);
      continue;
    }
    const { inspectResult, opensWithoutPassword } = await import('@quire/document/file/inspection');
    if (password !== undefined && (await opensWithoutPassword({ path: output.path })))
      throw new DefectError('CONTRACT_BROKEN', {
        operation: operation.path,
        detail: 'the result opens without its password',
      });
    try {
      pages.push(
        (await inspectResult({ path: output.path }, pdfs.length === 1 ? expected : undefined, password)).pages,
      );
    } catch (error) {
      // A file that was handed on unchanged is the caller's own and may be locked or damaged (filters that do not
      // parse).
      if (operation.input === 'raw' && fileReturns(operation)?.kind === 'same') continue;
      throw new DefectError(
        'CONTRACT_BROKEN',
        { operation: operation.path, detail: 'the result cannot be opened again' },
        { cause: error },
      );
    }
  }
  return pages;
}

/** Opens PDFs for an operation that runs in the server, before or after it. */
export async function inspectFiles(task: InspectTask): Promise<RunOutcome> {
  if (task.only === 'damage') {
    const { needsRepair } = await import('@quire/document/file/inspection');
    let mended = false;
    for (const { path } of task.files) mended ||= await needsRepair({ path });
    return { outputs: [], isJson: false, report: {}, inputPages: [], outputPages: [], signatures: [], mended };
  }
  const { pages, signatures } =
    task.only === 'signatures'
      ? { pages: [], signatures: await lookForSignatures(task.files) }
      : await inspect(task.files, task.maxPages, task.field, task.password);
  return { outputs: [], isJson: false, report: {}, inputPages: pages, outputPages: [], signatures };
}

const compressible = new Set(['txt', 'md', 'csv', 'json', 'xml', 'html', 'svg', 'bmp', 'eps']);

/** The times that every reader of zips knows, in milliseconds. */
const EARLIEST = Date.UTC(1980, 0, 1);
const LATEST = Date.UTC(2037, 11, 31);

/** Writes files into a zip: flat, in order, names made unique. Content that is compressed already is stored. */
export async function zipFiles(files: readonly WireFile[], target: string): Promise<number> {
  const { ZipFile } = await import('yazl');
  const zip = new ZipFile();
  const names = uniqueNames(files.map(({ name }) => name));
  files.forEach((file, i) =>
    zip.addFile(file.path, names[i] ?? file.name, {
      compress: compressible.has(file.kind),
      mtime: new Date(file.modified === undefined ? EARLIEST : Math.min(Math.max(file.modified, EARLIEST), LATEST)),
      mode: 0o100644,
    }),
  );
  const done = new Promise<void>((resolve, reject) => {
    zip.outputStream
      .on('error', reject)
      .pipe(createWriteStream(target, { flags: 'wx', mode: 0o600 }))
      .on('error', reject)
      .on('close', resolve);
    (zip as unknown as NodeJS.EventEmitter).on('error', reject);
  });
  zip.end();
  await done;
  return (await stat(target)).size;
}

/** The zip that a direct call answers with, where it does not answer with the file itself or with nothing. */
async function archiveOf(
  operation: AnyOperation,
  task: RunTask,
  outputs: readonly WireFile[],
): Promise<WireFile | undefined> {
  const name = archiveName(operation, task.params, task.files, outputs.length);
  if (name === undefined) return undefined;
  const path = join(task.folder, 'archive');
  return { name, kind: 'zip', path, size: await zipFiles(outputs, path) };
}

/** Packs files of several runs into one zip. */
export async function zipTask(task: ZipTask): Promise<RunOutcome> {
  const size = await zipFiles(task.files, task.target);
  const archive: WireFile = { name: 'output.zip', kind: 'zip', path: task.target, size };
  return { outputs: [], archive, isJson: false, report: {}, inputPages: [], outputPages: [], signatures: [] };
}

/** Unpacks a zip between two pipeline steps. */
export async function unzipTask(task: UnzipTask, signal: AbortSignal): Promise<RunOutcome> {
  const outputs = await unzip(task.file.path, task.folder, task.field, signal);
  return { outputs, isJson: false, report: {}, inputPages: [], outputPages: [], signatures: [] };
}

/** Runs a task of a plugin; what it gives crosses as JSON. */
export async function pluginTask(
  plugin: Plugin,
  { name, input, entryUrl }: PluginTask,
  signal: AbortSignal,
): Promise<RunOutcome> {
  const task = (plugin.tasks ?? []).find((candidate) => candidate.name === name);
  if (task === undefined) throw new Error(`${entryUrl} has no task ${name}`);
  const { startSourceCache, closeCachedSources } = await import('@quire/document/file/source');
  startSourceCache();
  try {
    return {
      outputs: [],
      isJson: true,
      json: (await task.run(input as never, { signal })) ?? null,
      report: {},
      inputPages: [],
      outputPages: [],
      signatures: [],
    };
  } finally {
    closeCachedSources();
  }
}
