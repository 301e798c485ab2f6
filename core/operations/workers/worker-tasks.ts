import {
  DefectError,
  tokens,
  writingWith,
  type AnyOperation,
  type Logger,
  type Plugin,
  type SettingsReader,
  type Token,
} from '@quire/registry';
import { blamePassword } from '../runner/blame-input.js';
import { runChecked } from '../runner/checked-run.js';
import { faultOfPlugin } from '../runner/fault-of-plugin.js';
import { unzip } from '../runner/unzip.js';
import { lazily } from './lazily.js';
import { workerDocuments } from './open-documents.js';
import type { DocumentsTask, PluginTask, RunOutcome, RunTask, UnzipTask, ViewTask, ZipTask } from './protocol.js';
import type { WireFile } from './wire-file.js';
import { knownToken, type ServiceProxies } from './service-proxy.js';
import { zipFiles } from './zip-files.js';

/** The connection of a task to the server. */
export interface TaskHost {
  readonly signal: AbortSignal;
  /** Services of the server, by message. */
  readonly services: ServiceProxies;
  /** Services of the operation's plugin, of which those that cross are called as well. */
  readonly own: readonly Token<unknown>[];
  log(level: 'debug' | 'info' | 'warn' | 'error', data: object, message: string): void;
  progress(done: number, total: number): void;
}

const sources = lazily(() => import('@quire/document/file/source'));

/** Runs an operation in this worker. */
export async function runTask(declared: AnyOperation, task: RunTask, host: TaskHost): Promise<RunOutcome> {
  const { startSourceCache, closeCachedSources, takeWithdrawnRights } = await sources();
  startSourceCache(task.spendsInputs ? task.files.map(({ path }) => path) : []);
  takeWithdrawnRights();
  try {
    const outcome = await runInWorker(writingWith(declared, task.params), task, host);
    return takeWithdrawnRights() ? { ...outcome, report: { usageRights: 'removed', ...outcome.report } } : outcome;
  } catch (error) {
    throw blamePassword(error, declared, task.params);
  } finally {
    // Documents that this step kept open for a next one, which did not use them.
    closeCachedSources();
  }
}

function runInWorker(operation: AnyOperation, task: RunTask, host: TaskHost): Promise<RunOutcome> {
  return runChecked(
    { ...task, operation },
    {
      documents: workerDocuments,
      signal: host.signal,
      use: workerServices(operation, task, host),
      progress: host.progress,
    },
  );
}

/** Returns `ctx.use`: log, clock and settings are local, everything else is a call of the server. */
function workerServices({ path }: AnyOperation, task: RunTask, host: TaskHost): <T>(token: Token<T>) => T {
  const log: Logger = {
    debug: (data, message) => host.log('debug', data, message),
    info: (data, message) => host.log('info', data, message),
    warn: (data, message) => host.log('warn', data, message),
    error: (data, message) => host.log('error', data, message),
  };
  const settings: SettingsReader = { get: <T>(key: string) => task.settings[key] as T };
  const local = new Map<string, unknown>([
    [tokens.logger.name, log],
    [tokens.clock.name, { now: () => new Date() }],
    [tokens.settings.name, settings],
  ]);
  return <T>(token: Token<T>): T => {
    if (local.has(token.name)) return local.get(token.name) as T;
    // The declarations decide which services workers may call, not the token that is passed.
    const known = knownToken(token.name, host.own) as Token<T> | undefined;
    const service = known === undefined ? undefined : host.services.of(known, settings);
    if (service === undefined)
      throw new DefectError('CONTRACT_BROKEN', {
        operation: path,
        detail: `the service ${token.name} is not available in workers`,
      });
    return service;
  };
}

/** Opens documents for an operation that runs in the host. */
export async function documentsTask({ method, args }: DocumentsTask): Promise<RunOutcome> {
  const look = workerDocuments[method] as (...args: readonly unknown[]) => Promise<unknown>;
  return { ...nothing, isJson: true, json: await look(...args) };
}

const nothing = { outputs: [], report: {}, warnings: [], inputPages: [], outputPages: [], signatures: [] } as const;

/** Packs the files of several runs into one zip. */
export async function zipTask(task: ZipTask): Promise<RunOutcome> {
  const size = await zipFiles(task.files, task.target);
  const archive: WireFile = { name: 'output.zip', kind: 'zip', path: task.target, size };
  return { ...nothing, archive, isJson: false };
}

/** Unpacks a zip between two pipeline steps. */
export async function unzipTask(task: UnzipTask, signal: AbortSignal): Promise<RunOutcome> {
  const outputs = await unzip(task.file.path, task.folder, task.field, signal);
  return { ...nothing, outputs, isJson: false };
}

/** Shows pages of a document: the JSON is a `ViewedPages`, the outputs are pictures, one JPEG for each shown page. */
export async function viewTask(task: ViewTask): Promise<RunOutcome> {
  const { viewPages } = await import('./view-pages.js');
  const { viewed, pictures } = await viewPages(task);
  return { ...nothing, outputs: pictures, isJson: true, json: viewed };
}

/** Runs a task of a plugin; its result crosses to the server as JSON. */
export async function pluginTask(
  plugin: Plugin,
  { name, input, entryUrl }: PluginTask,
  signal: AbortSignal,
): Promise<RunOutcome> {
  const task = (plugin.tasks ?? []).find((candidate) => candidate.name === name);
  if (task === undefined) throw new Error(`${entryUrl} has no task ${name}`);
  const blameCode = (error: unknown): never => {
    throw faultOfPlugin(error, entryUrl) ?? error;
  };
  const { startSourceCache, closeCachedSources } = await sources();
  startSourceCache();
  try {
    return {
      outputs: [],
      isJson: true,
      json: (await task.run(input as never, { signal }).catch(blameCode)) ?? null,
      report: {},
      warnings: [],
      inputPages: [],
      outputPages: [],
      signatures: [],
    };
  } finally {
    closeCachedSources();
  }
}
