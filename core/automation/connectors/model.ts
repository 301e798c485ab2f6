import type { Schema } from 'joi';
import type { Principal } from '@quire/registry';

/** A file that a source offers. */
export interface FoundFile {
  /** Unique within the source, and the same in every listing. */
  readonly key: string;
  /** Its file name, without folders. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** Another text when the content may have changed: size and time, or an ETag. */
  readonly version: string;
  /** When it was last changed, in milliseconds since 1970. */
  readonly changedAt: number;
  /** Whether key and version name this content for ever, so that a file which comes back is no new one. */
  readonly lasting?: boolean;
}

/** For whom a source or destination is opened. */
export interface ConnectorContext {
  /** Whose permissions, quotas and saved connections count. */
  readonly principal: Principal;
  readonly signal: AbortSignal;
}

/** Where inputs come from, open for work. Its calls reject with SOURCE_UNREACHABLE when it cannot be reached. */
export interface OpenSource {
  /** Yields the current files, without hidden and unfinished ones. */
  list(): AsyncIterable<FoundFile>;
  /** Writes a file to a new path and flushes it; undefined when it is gone or has another version. */
  fetch(file: FoundFile, path: string): Promise<{ readonly size: number; readonly sha256: string } | undefined>;
  /** Removes a file whose results are delivered, unless it has changed since; does nothing where sources are kept. */
  finish(file: FoundFile): Promise<void>;
  /** Calls back soon after a file may have arrived; undefined if the source can only be listed. */
  watch?(arrived: () => void): Promise<{ stop(): Promise<void> }>;
  close(): Promise<void>;
}

/** How a kind of source or destination is shown to people. */
interface ShownKind {
  /** Default: its type. */
  readonly title?: string;
  /** One sentence. */
  readonly help?: string;
  /** Name of an icon of the console. */
  readonly icon?: string;
}

/** A kind of source: `folder`, `s3`, `webhook` … */
export interface SourceKind extends ShownKind {
  readonly type: string;
  /** Schema of its options, without secrets that the server makes. */
  readonly options: Schema;
  /** Names of options that are stored encrypted and never shown. */
  readonly secrets: readonly string[];
  /** Whether files that arrive start the work, or a schedule or somebody has to. */
  readonly announces: boolean;
  /** Proves that it can be read. Rejects with SOURCE_INVALID, whose faults point into the options. */
  check(options: ConnectorOptions, context: ConnectorContext): Promise<void>;
  open(options: ConnectorOptions, context: ConnectorContext): Promise<OpenSource>;
  /**
   * Calls back when this server has accepted a file for a source of this kind; `concerns` says whether it is for a
   * source with these options of an automation of this owner. Returns a function that ends that. Undefined where files
   * do not come by calls of this server.
   */
  onArrival?(arrived: (concerns: ConcernsSource) => void): () => void;
}

export type ConcernsSource = (options: ConnectorOptions, ownerId: string) => boolean;
export type ConnectorOptions = Readonly<Record<string, unknown>>;

/** A file of a result. */
export interface DeliveredFile {
  readonly path: string;
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  readonly mediaType: string;
  /**
   * It is flushed, and nobody needs it after this delivery: a destination on the same disk may give it another name
   * instead of copying it.
   */
  readonly linkable?: boolean;
}

/** A file in its source. */
export interface InputPlace extends Pick<FoundFile, 'key' | 'version'> {
  /** The kind of the source. */
  readonly type: string;
}

/** One delivery of one file to one destination. */
export interface Delivery {
  /** The same for every attempt. */
  readonly id: string;
  /** Name of the automation, for subjects of mails and folders. */
  readonly automation: string;
  /** Name of the input file; null for a run without one. */
  readonly input: string | null;
  /** Reads where the input was found; null for a file that was uploaded. */
  from(): Promise<InputPlace | null>;
  /** Number of files of the result. */
  readonly files: number;
  /** What an earlier attempt remembered. */
  readonly note: string | null;
  /** Stores a note durably, before something that must not happen twice: the chosen name of a file. */
  remember(note: string): Promise<void>;
}

export interface Delivered {
  /** In words. */
  readonly place: string;
  /** The version that the input has now, where the result has replaced its content. */
  readonly inputVersion?: string;
}

/** Where results go, open for work. */
export interface OpenDestination {
  /**
   * Delivers a file once, also when it is called again after a crash. Returns the place in words. Rejects with
   * DESTINATION_UNREACHABLE when it is worth trying again later; any other error parks the input.
   */
  deliver(file: DeliveredFile, delivery: Delivery): Promise<Delivered>;
  close(): Promise<void>;
}

/** A kind of destination: `folder`, `storage`, `s3`, `mail`, `callback`. */
export interface DestinationKind extends ShownKind {
  readonly type: string;
  readonly options: Schema;
  readonly secrets: readonly string[];
  /** A delivery takes milliseconds, and remembers something before it acts: that one has begun need not be stored. */
  readonly brief?: true;
  /** Proves that it can be written to. Rejects with DESTINATION_INVALID, whose faults point into the options. */
  check(options: ConnectorOptions, context: ConnectorContext): Promise<void>;
  open(options: ConnectorOptions, context: ConnectorContext): Promise<OpenDestination>;
  /** Removes what deliveries have left there that were given up. Rejects as `open`. */
  sweep?(options: ConnectorOptions, abandoned: Abandoned): Promise<void>;
}

/** Which deliveries were given up: by the name that `idOf` gives to each, and the age of what is left of it. */
export type Abandoned = (name: string, ageMs: number) => boolean;
