import { join } from 'node:path';
import { fileReturns, passwordsOf, setsMetadata, type AnyOperation, type Principal } from '@quire/registry';
import type { ResultStamp } from '@quire/document/structure/metadata';
import type { Settings } from '../../settings/index.js';
import type { WritePolicy } from '../workers/protocol.js';
import type { WireFile } from '../workers/wire-file.js';
import type { WorkerPool } from '../workers/worker-pool.js';
import { isPdf } from './operation-run.js';
import { hostDocuments } from './host-documents.js';
import type { RunDocuments } from './run-documents.js';
import { writingOf } from './signed-input.js';

const KEYS = 'premium.proFeatures.customMetadata';
/** As the author: the name of the caller. */
const USERNAME = 'username';
/** Of one document. */
const TIMEOUT_MS = 600_000;

/** Of a call, what decides about its stamp. */
interface StampedCall {
  readonly entry: { readonly operation: AnyOperation };
  readonly origin: 'route' | 'pipeline' | 'job';
  readonly principal: Principal;
}

/** Of a run, what its stamp needs. */
interface StampedRun {
  readonly operation: AnyOperation;
  readonly params: Readonly<Record<string, unknown>>;
  readonly files: readonly WireFile[];
  readonly folder: string;
  readonly policy: WritePolicy;
  readonly stamp?: ResultStamp;
}

/**
 * What is written into the metadata of results (`premium.proFeatures.customMetadata`). An empty text leaves the entry
 * of the document as it is.
 */
export class ResultStamps {
  readonly #on: boolean;
  readonly #author: string;
  readonly #rest: ResultStamp;

  constructor(
    settings: Pick<Settings, 'get'>,
    private readonly pool: Pick<WorkerPool, 'run'>,
  ) {
    this.#on = settings.get(`${KEYS}.autoUpdateMetadata`);
    this.#author = settings.get(`${KEYS}.author`).trim();
    this.#rest = {
      ...named('creator', settings.get(`${KEYS}.creator`)),
      ...named('producer', settings.get(`${KEYS}.producer`)),
    };
  }

  /**
   * The stamp of a call. The results of a pipeline are stamped once, at its end, except for those that only their
   * password opens.
   */
  forRun(
    { entry: { operation }, origin, principal }: StampedCall,
    params: Readonly<Record<string, unknown>>,
  ): { readonly stamp?: ResultStamp } {
    const now = origin !== 'pipeline' || passwordsOf(operation, params).result !== undefined;
    const stamp = now ? this.#stampOf(principal) : undefined;
    return stamp === undefined ? {} : { stamp };
  }

  /** Stamps a file that a pipeline returns; `target`: the path of the new file. */
  async finish(
    file: WireFile,
    target: string,
    { principal, signal }: { readonly principal: Principal; readonly signal: AbortSignal },
  ): Promise<WireFile> {
    const stamp = this.#stampOf(principal);
    if (stamp === undefined || !isPdf(file)) return file;
    const documents = hostDocuments(this.pool, { timeoutMs: TIMEOUT_MS, signal });
    return stampFile(file, target, stamp, { mode: 'rewrite' }, documents);
  }

  #stampOf({ name, role }: Principal): ResultStamp | undefined {
    if (!this.#on) return undefined;
    // Without a login nobody is known as the author.
    const author = this.#author !== USERNAME ? this.#author : role === 'anonymous' ? '' : name;
    return { ...named('author', author), ...this.#rest };
  }
}

function named(key: keyof ResultStamp, text: string): ResultStamp {
  return text.trim() === '' ? {} : { [key]: text.trim() };
}

/**
 * Stamps the PDFs that an operation made. Files that it found in a document or returned as they came, and results whose
 * metadata is what the operation was called for, stay as they are.
 */
export async function stampOutputs(
  { operation, params, files, folder, policy, stamp }: StampedRun,
  outputs: readonly WireFile[],
  documents: RunDocuments,
): Promise<readonly WireFile[]> {
  const returns = fileReturns(operation);
  if (stamp === undefined || returns?.kind === 'any' || returns?.unchanged === true) return outputs;
  if (setsMetadata(operation, params)) return outputs;
  const inputs = new Set(files.map(({ path }) => path));
  const { result: password } = passwordsOf(operation, params);
  const options = { mode: writingOf(operation, policy), ...(password === undefined ? {} : { password }) };
  const stamped: WireFile[] = [];
  for (const [at, output] of outputs.entries())
    stamped.push(
      isPdf(output) && !inputs.has(output.path)
        ? await stampFile(output, join(folder, `stamped${at}`), stamp, options, documents)
        : output,
    );
  return stamped;
}

/** Returns the stamped file, or the file itself where it is left alone (signed, locked). */
async function stampFile(
  file: WireFile,
  target: string,
  stamp: ResultStamp,
  options: StampFileOptions,
  documents: Pick<RunDocuments, 'stamp'>,
): Promise<WireFile> {
  const size = await documents.stamp(file, target, stamp, options);
  return size === undefined ? file : { ...file, path: target, size };
}

interface StampFileOptions {
  readonly mode: 'append' | 'rewrite';
  readonly password?: string;
}
