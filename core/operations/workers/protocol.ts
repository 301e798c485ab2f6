import type { ReportFact, SerialisedError } from '@quire/registry';
import type { ResultStamp } from '@quire/document/structure/metadata';
import type { PageLimit } from '../runner/page-limit.js';
import type { RunDocumentsMethod } from '../runner/run-documents.js';
import type { SignatureFacts, WireFile } from './wire-file.js';

/** Settings about how documents are written. */
export interface WritePolicy {
  /** How to treat signed files whose signatures would not survive (`policy.signedInput`). */
  readonly signedInput: 'allow' | 'warn' | 'refuse';
  /** Never append (`document.write: rewrite`). */
  readonly rewriteAlways: boolean;
}

/** One run of an operation in a worker. */
export interface RunTask {
  readonly type: 'run';
  /** File URL of the plugin's entry module. */
  readonly entryUrl: string;
  readonly operation: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly files: readonly WireFile[];
  readonly parts: Readonly<Record<string, readonly WireFile[]>>;
  /** Private folder of this run; everything is written there. */
  readonly folder: string;
  readonly maxPages: number;
  /** Of the caller's role. */
  readonly pageLimit?: PageLimit | undefined;
  readonly policy: WritePolicy;
  /** Effective settings that a worker may read, by dotted path. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Result names omit the operation's suffix, as files between pipeline steps do. */
  readonly inPipeline: boolean;
  /** Refuse damaged files (`Prefer: handling=strict`). */
  readonly strict: boolean;
  /** Pack several outputs into a zip with this name in the same task. */
  readonly zip: boolean;
  /** Nobody reads the files after the run: a result may continue one of them in place of a copy. */
  readonly spendsInputs?: boolean;
  /** Written into the metadata of the results. */
  readonly stamp?: ResultStamp;
}

/** Opens documents for an operation that runs in the server process. */
export interface DocumentsTask {
  readonly type: 'documents';
  readonly method: RunDocumentsMethod;
  readonly args: readonly unknown[];
}

/** Packs files into a zip. */
export interface ZipTask {
  readonly type: 'zip';
  readonly files: readonly WireFile[];
  readonly target: string;
}

/** Unpacks a zip into a folder, with limits. */
export interface UnzipTask {
  readonly type: 'unzip';
  readonly file: WireFile;
  readonly folder: string;
  readonly field: string;
}

/** Runs a task of a plugin (`defineTask`). */
export interface PluginTask {
  readonly type: 'task';
  /** File URL of the plugin's entry module. */
  readonly entryUrl: string;
  readonly name: string;
  readonly input: unknown;
}

/** Reads or draws some pages of a PDF for somebody who looks at it. */
export interface ViewTask {
  readonly type: 'view';
  readonly path: string;
  readonly as: 'text' | 'pictures';
  /** Page numbers as in `selectPages`. */
  readonly pageNumbers: string;
  /** Most pages that are shown. */
  readonly most: number;
  /** Pixels of the longer side of a picture. */
  readonly longestSide: number;
  /** Private folder for the pictures. */
  readonly folder: string;
}

export type WorkerTask = RunTask | DocumentsTask | ZipTask | UnzipTask | PluginTask | ViewTask;

/** The result of a run. */
export interface RunOutcome {
  readonly outputs: readonly WireFile[];
  /** Present if the operation returned JSON. */
  readonly json?: unknown;
  readonly isJson: boolean;
  /** The outputs as one zip, if requested and there are several. */
  readonly archive?: WireFile;
  readonly report: Readonly<Record<string, ReportFact>>;
  /** Sentences about the result: damage of the inputs, and what the operation adds. */
  readonly warnings: readonly string[];
  readonly inputPages: readonly number[];
  readonly outputPages: readonly number[];
  /** For each input, in order; empty if signatures were not checked. */
  readonly signatures: readonly SignatureFacts[];
}

/** A worker's call of a service in the server. Signals among the arguments are sent as null. */
export interface ServiceCall {
  readonly service: string;
  readonly method: string;
  readonly args: readonly unknown[];
}

export type ToWorker =
  /** A task will probably follow; `entryUrl`: of this plugin. */
  | { readonly kind: 'prepare'; readonly entryUrl?: string }
  | { readonly kind: 'task'; readonly id: number; readonly task: WorkerTask }
  | { readonly kind: 'cancel'; readonly id: number }
  | {
      readonly kind: 'answer';
      readonly id: number;
      readonly call: number;
      readonly value?: unknown;
      readonly error?: SerialisedError;
    };

export type FromWorker =
  | { readonly kind: 'ready' }
  /** The task has reached the worker; nothing was done before that. */
  | { readonly kind: 'started'; readonly id: number }
  | { readonly kind: 'progress'; readonly id: number; readonly done: number; readonly total: number }
  /** The worker numbers its calls; `callEnd` says that it no longer waits for this one. */
  | { readonly kind: 'call'; readonly id: number; readonly call: number; readonly what: ServiceCall }
  | { readonly kind: 'callEnd'; readonly id: number; readonly call: number }
  | {
      readonly kind: 'log';
      readonly level: 'debug' | 'info' | 'warn' | 'error';
      readonly data: object;
      readonly message: string;
    }
  | { readonly kind: 'done'; readonly id: number; readonly outcome: RunOutcome }
  | { readonly kind: 'failed'; readonly id: number; readonly error: SerialisedError; readonly stack?: string };
