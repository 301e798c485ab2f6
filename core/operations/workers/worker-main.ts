// The worker process: runs one task at a time, without Hapi, store or container. It exits with its parent.
import { setFlagsFromString } from 'node:v8';
import { errorRow, isPlugin, serialiseError, isQuireError, type AnyOperation, type Plugin } from '@quire/registry';
import type { FromWorker, RunOutcome, ToWorker, WorkerTask } from './protocol.js';
import { loadLibrariesAsOneFile } from './one-file-libraries.js';
import { nameSourcesInStacks } from './readable-stacks.js';
import { rehearseDrawing } from './rehearsal.js';
import { ServiceProxies } from './service-proxy.js';
import { documentsTask, pluginTask, runTask, unzipTask, viewTask, zipTask } from './worker-tasks.js';

/**
 * How much the heap may grow beyond what lives before all of it is collected again, in percent. V8 otherwise does so
 * after about a doubling, a dozen times in a call that keeps many objects for a short while: a fifth of the time of
 * a redaction of 500 pages. At 200 it is as fast, and two workers need 30 MB more (ADR 0150).
 */
const HEAP_GROWTH_PERCENT = 150;

nameSourcesInStacks();
loadLibrariesAsOneFile();
const plugins = new Map<string, Promise<Plugin>>();
const running = new Map<number, { readonly abort: AbortController; readonly services: ServiceProxies }>();

function send(message: FromWorker): void {
  // The channel closes when the server dies; nobody receives messages then.
  if (process.connected) process.send?.(message, () => undefined);
}

async function loadPlugin(entryUrl: string): Promise<Plugin> {
  let loading = plugins.get(entryUrl);
  if (loading === undefined) {
    loading = import(entryUrl).then(({ default: plugin }: { default: unknown }) => {
      if (!isPlugin(plugin)) throw new Error(`${entryUrl} is not a plugin`);
      return plugin;
    });
    plugins.set(entryUrl, loading);
  }
  return loading;
}

function operationOf({ operations }: Plugin, path: string): AnyOperation {
  const operation = operations.find((candidate) => candidate.path === path);
  if (operation === undefined) throw new Error(`the plugin has no operation ${path}`);
  return operation;
}

/**
 * Loads what a call needs that is still being received: its plugin, and what opens documents. The engine that reopens
 * results is compiled meanwhile, by another thread. With no plugin there is time until a call comes: the engine is
 * started and tried, and what most calls need is loaded too.
 */
async function prepare(entryUrl: string | undefined): Promise<void> {
  const { compiledPdfium, loadPdfium } = await import('@quire/document/engines/pdfium');
  const loading =
    entryUrl === undefined
      ? [loadPdfium(), import('@quire/document/file/open'), import('@quire/document/structure/pages')]
      : [compiledPdfium(), loadPlugin(entryUrl)];
  await Promise.all([...loading, import('@quire/document/file/inspection'), import('@quire/document/file/source')]);
  if (entryUrl === undefined && running.size === 0) await rehearseDrawing();
}

/** Least milliseconds before and between progress reports: each costs a message between processes. */
const PROGRESS_EVERY = 100;

function seldom(report: (done: number, total: number) => void): (done: number, total: number) => void {
  let last = performance.now();
  return (done, total) => {
    const now = performance.now();
    if (now - last < PROGRESS_EVERY) return;
    last = now;
    report(done, total);
  };
}

function perform(task: WorkerTask, id: number, signal: AbortSignal, services: ServiceProxies): Promise<RunOutcome> {
  switch (task.type) {
    case 'run':
      return loadPlugin(task.entryUrl).then((plugin) => {
        // Not as a flag of the process: with it, V8 would not use the compiled code of Node itself (`worker-entry.ts`).
        setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
        return runTask(operationOf(plugin, task.operation), task, {
          signal,
          services,
          own: (plugin.services ?? []).map(({ token }) => token),
          log: (level, data, message) => send({ kind: 'log', level, data, message }),
          progress: seldom((done, total) => send({ kind: 'progress', id, done, total })),
        });
      });
    case 'documents':
      return documentsTask(task);
    case 'zip':
      return zipTask(task);
    case 'unzip':
      return unzipTask(task, signal);
    case 'view':
      return viewTask(task);
    case 'task':
      return loadPlugin(task.entryUrl).then((plugin) => pluginTask(plugin, task, signal));
  }
}

const traceOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

/** A document whose reading ended in an error without a code is refused as damaged. The fault may be ours. */
function logCause(error: unknown, task: WorkerTask): void {
  const { cause } = error as Error;
  if (cause === undefined || isQuireError(cause)) return;
  const operation = task.type === 'run' ? task.operation : task.type;
  send({
    kind: 'log',
    level: 'info',
    data: { operation, cause: traceOf(cause) },
    message: 'why a document was refused',
  });
}

process.on('message', (message: ToWorker) => {
  if (message.kind === 'prepare') {
    // The task meets the same fault again and reports it.
    prepare(message.entryUrl).catch(() => undefined);
    return;
  }
  if (message.kind === 'cancel') {
    running.get(message.id)?.abort.abort();
    return;
  }
  if (message.kind === 'answer') {
    running.get(message.id)?.services.answer(message.call, message.value, message.error);
    return;
  }
  send({ kind: 'started', id: message.id });
  const abort = new AbortController();
  const services = new ServiceProxies(message.id, send);
  running.set(message.id, { abort, services });
  perform(message.task, message.id, abort.signal, services)
    .then((outcome) => send({ kind: 'done', id: message.id, outcome }))
    .catch((thrown: unknown) => {
      const error = serialiseError(thrown);
      const stack = errorRow(error.code).family === 'defect' ? traceOf(thrown) : undefined;
      if (error.code === 'PDF_DAMAGED') logCause(thrown, message.task);
      send({ kind: 'failed', id: message.id, error, ...(stack === undefined ? {} : { stack }) });
    })
    .finally(() => running.delete(message.id));
});
process.on('disconnect', () => process.exit(0));
// The server decides when to stop; Ctrl-C in a terminal is sent to the whole process group and must not interrupt
// running work.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
send({ kind: 'ready' });
