import type { ConcreteKind } from './file-kinds.js';
import type { Principal } from './principal.js';
import type { JsonValue } from './plugin-store.js';
import type { Token } from './token.js';

/** A file as an operation receives it. It lies in the run's private folder and is never changed in place. */
export interface DocumentFile {
  /** The client's name, cleaned: no folders, no control characters, at most 200 bytes. */
  readonly name: string;
  readonly kind: ConcreteKind;
  /** What the client called its media type; that of the kind where it said none or nothing of use. */
  readonly mediaType: string;
  /** Size in bytes. */
  readonly size: number;
  /** Absolute path on disk. */
  path(): string;
  bytes(): Promise<Uint8Array>;
}

/** A file that an operation gives back; made by the context only. */
export interface OutputFile {
  readonly name: string;
  readonly kind: ConcreteKind;
  readonly path: string;
  readonly size: number;
  /** Its time in a zip, in milliseconds; zips give all files the same time where there is none. */
  readonly modified?: number;
}

/** A JSON answer; made by the context only. */
export interface JsonResult {
  readonly json: unknown;
}

/** How one output differs from what the declaration says of all. */
export interface OutputPart {
  /** 1-based number among several outputs: fills `{n}` of the declared name. */
  readonly n?: number;
  /** A whole base name without extension, instead of the declared one (chapter titles). Cleaned by core. */
  readonly name?: string;
  /**
   * A whole name with its extension, of a file that is handed out as it was found (`returns.kind: 'any'`). Cleaned by
   * core.
   */
  readonly file?: string;
  /** One of the kinds in `returns.also`; that of the operation when absent. */
  readonly kind?: ConcreteKind;
  /** Its time in a zip. */
  readonly modified?: Date;
}

/** A fact of a report: a plain value, or JSON made of them. */
export type ReportFact = JsonValue;

/** What an operation may reach while it runs. */
export interface RunContext {
  /** Aborted on time-out, cancel, or when the client has gone. */
  readonly signal: AbortSignal;
  /**
   * Who asked for it, with the rights of now. Of operations that run in the server (`runsIn: 'host'`) alone: workers
   * are not told.
   */
  readonly caller?: Principal;
  /**
   * `append` when the operation declares `writes: 'append'` and no setting demands that documents are rewritten;
   * else `rewrite`.
   */
  readonly writing: 'append' | 'rewrite';
  /** A service declared in `needs.services`; an undeclared one throws CONTRACT_BROKEN. */
  use<T>(token: Token<T>): T;
  /** The second file sent in this field, if any. */
  part(field: string): DocumentFile | undefined;
  /** All files sent in this field, in order. */
  parts(field: string): readonly DocumentFile[];
  /** A new empty private folder, removed after the run. */
  folder(): Promise<string>;
  /**
   * Writes bytes as an output named after `from` by the declaration; undefined where the operation takes no document.
   */
  output(from: DocumentFile | undefined, bytes: Uint8Array, part?: OutputPart): Promise<OutputFile>;
  /** Takes over a file that a program or a stream wrote into a private folder. */
  adopt(from: DocumentFile | undefined, path: string, part?: OutputPart): Promise<OutputFile>;
  /** Hands the input on, byte for byte; under another base name where one is given. */
  keep(file: DocumentFile, part?: Pick<OutputPart, 'name'>): OutputFile;
  /** Makes a JSON answer for an operation that declares `returns.json`. */
  json(value: unknown): JsonResult;
  /**
   * Facts about this run for the answer's `X-Tool-Report` header, where 8 KiB of JSON have room, and the job's
   * metadata.
   */
  report(facts: Readonly<Record<string, ReportFact>>): void;
  /** Progress in units of the operation's choice. */
  progress(done: number, total: number): void;
}
