import type { Logger } from '@quire/registry';
import type { WireFile } from '../workers/wire-file.js';
import type { WorkerPool } from '../workers/worker-pool.js';
import type { RunDocuments, RunDocumentsMethod } from './run-documents.js';

/** Opens documents on behalf of an operation in the server process; each call is a task of a worker. */
export function hostDocuments(
  pool: Pick<WorkerPool, 'run'>,
  options: { readonly timeoutMs: number; readonly signal: AbortSignal },
): RunDocuments {
  const call =
    <M extends RunDocumentsMethod>(method: M) =>
    async (...args: Parameters<RunDocuments[M]>): Promise<Awaited<ReturnType<RunDocuments[M]>>> => {
      const { json } = await pool.run({ type: 'documents', method, args }, options);
      return json as Awaited<ReturnType<RunDocuments[M]>>;
    };
  return {
    inspect: call('inspect'),
    findSignatures: call('findSignatures'),
    needsRepair: call('needsRepair'),
    // Each call may be answered by another worker, and the operation itself opens no document.
    damageMet: async () => ({ repaired: [], lost: [] }),
    // What programs wrote is searched by the next step.
    soundIdentities: async (files) => files.map(() => undefined),
    checkSyntax: call('checkSyntax'),
    reopen: call('reopen'),
    countPages: call('countPages'),
    countModelPages: call('countModelPages'),
    factOf: call('factOf'),
    invoiceTexts: call('invoiceTexts'),
    authorsOf: call('authorsOf'),
    // What is undefined in a worker arrives as null or not at all.
    stamp: async (...args) => (await call('stamp')(...args)) ?? undefined,
    zip: call('zip'),
  };
}

/** Reads the authors of documents; null for one that names none. */
export type AuthorsOf = (files: readonly WireFile[], signal: AbortSignal) => Promise<readonly (string | null)[]>;

/** Of all files of a call: what takes longer is not worth the wait. */
const AUTHORS_MS = 5000;

/** Returns what reads authors for the audit log. A call never fails because of it: the authors are null then. */
export function authorReader(pool: Pick<WorkerPool, 'run'>, log: Logger): AuthorsOf {
  return async (files, signal) => {
    try {
      return await hostDocuments(pool, { timeoutMs: AUTHORS_MS, signal }).authorsOf(files);
    } catch (error) {
      log.warn({ err: error, files: files.length }, 'the authors of files could not be read for the audit log');
      return files.map(() => null);
    }
  };
}
