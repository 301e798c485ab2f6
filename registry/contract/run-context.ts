import type { ConcreteKind } from './file-kinds.js';
import type { Principal } from './principal.js';
import type { JsonValue } from './plugin-store.js';
import type { Token } from './token.js';

/** An input file of an operation, in the run's private folder; never changed in place. */
export interface DocumentFile {
  /** The client's file name, sanitised: no folders, no control characters, at most 200 bytes. */
  readonly name: string;
  readonly kind: ConcreteKind;
  /** The media type from the client; that of the file type when the client sent none or an unusable one. */
  readonly mediaType: string;
  /** Size in bytes. */
  readonly size: number;
  /** Absolute path on disk. */
  path(): string;
  bytes(): Promise<Uint8Array>;
}

/** An output file of an operation; created only by the context. */
export interface OutputFile {
  readonly name: string;
  readonly kind: ConcreteKind;
  readonly path: string;
  readonly size: number;
  /** Its modification time in a zip, in milliseconds; without it all files of the zip get the same time. */
  readonly modified?: number;
}

/** A JSON answer; created only by the context. */
export interface JsonResult {
  readonly json: unknown;
}

/** How one output differs from the declaration. */
export interface OutputPart {
  /** 1-based number among several outputs; replaces `{n}` in the declared name. */
  readonly n?: number;
  /** A base name without extension that replaces the declared one (chapter titles). Core sanitises it. */
  readonly name?: string;
  /** A name with extension, for a file that is returned as it was found (`returns.kind: 'any'`). Core sanitises it. */
  readonly file?: string;
  /** One of the file types in `returns.also`; that of the operation when absent. */
  readonly kind?: ConcreteKind;
  /** Its modification time in a zip. */
  readonly modified?: Date;
}

/** A value of a report: plain, or JSON. */
export type ReportFact = JsonValue;

/** The services and outputs of a running operation. */
export interface RunContext {
  /** Aborted on timeout, cancellation, or when the client has disconnected. */
  readonly signal: AbortSignal;
  /**
   * The caller with their current rights. Only for operations that run in the server (`runsIn: 'host'`): workers do not
   * know it.
   */
  readonly caller?: Principal;
  /**
   * `append` when the operation declares `writes: 'append'` and no setting requires documents to be rewritten; else
   * `rewrite`.
   */
  readonly writing: 'append' | 'rewrite';
  /** Returns a service declared in `needs.services`; throws CONTRACT_BROKEN for an undeclared one. */
  use<T>(token: Token<T>): T;
  /** The additional file sent in this field, if any. */
  part(field: string): DocumentFile | undefined;
  /** All files sent in this field, in order. */
  parts(field: string): readonly DocumentFile[];
  /** Creates an empty private folder, removed after the run. */
  folder(): Promise<string>;
  /**
   * Writes bytes as an output named after `from` by the declaration; pass undefined when the operation has no input
   * document.
   */
  output(from: DocumentFile | undefined, bytes: Uint8Array, part?: OutputPart): Promise<OutputFile>;
  /**
   * Uses a file that a program or a stream wrote into a private folder as an output, or the input `from` itself under
   * the declared name.
   */
  adopt(from: DocumentFile | undefined, path: string, part?: OutputPart): Promise<OutputFile>;
  /** Returns the input byte for byte, under another base name if one is given. */
  keep(file: DocumentFile, part?: Pick<OutputPart, 'name'>): OutputFile;
  /** Creates a JSON answer for an operation that declares `returns.json`. */
  json(value: unknown): JsonResult;
  /**
   * Adds a warning about the result, one sentence for users, to the answer's `X-Warnings` header and to the records of
   * jobs, pipelines and watched folders. For what was lost or could not be done; use `report` for everything else.
   */
  warn(sentence: string): void;
  /**
   * Adds facts about this run to the answer's `X-Tool-Report` header, which holds up to 8 KiB of JSON, and to the job's
   * metadata.
   */
  report(facts: Readonly<Record<string, ReportFact>>): void;
  /** Reports progress in units of the operation's choice. */
  progress(done: number, total: number): void;
}
