/** A named service. Identity is the string behind the symbol, so two copies of this package agree. */
export interface Token<T> {
  readonly symbol: symbol;
  readonly name: string;
  /** Carries the type only; never present at run time. */
  readonly __type?: T;
  /** Methods that an operation in a worker process may call too, by message; absent for a service of the server alone. */
  readonly crossing?: Crossing;
}

/**
 * What an argument is when a call crosses from a worker to the server: plain JSON; a file to read (the run's own input or in its private
 * folder); a file to write (in that folder, where nothing is yet); or the signal that ends the call.
 */
export type CrossingArgument = 'value' | 'input' | 'output' | 'signal';

/** Arguments of each method that may cross, in order. Results cross as JSON, errors by their codes. */
export type Crossing = Readonly<Record<string, readonly CrossingArgument[]>>;

/** Makes a token; the same name always gives the same identity. */
export function token<T>(name: string): Token<T> {
  return { symbol: Symbol.for(`quire.${name}`), name };
}

/** Makes a token of a service whose methods worker operations may call as well. */
export function crossingToken<T>(name: string, crossing: { readonly [K in keyof T & string]: readonly CrossingArgument[] }): Token<T> {
  return { ...token<T>(name), crossing };
}

/** Structured log; never give it file names or contents at info level. */
export interface Logger {
  debug(data: object, message: string): void;
  info(data: object, message: string): void;
  warn(data: object, message: string): void;
  error(data: object, message: string): void;
}

/** Time, so that tests can turn it. */
export interface Clock {
  now(): Date;
}

/** Read access to effective settings by dotted path (`system.maxDPI`). */
export interface SettingsReader {
  get<T = unknown>(path: string): T;
}

/** Absolute folders under the base path (`QUIRE_BASE_PATH`). */
export interface BasePaths {
  readonly base: string;
  readonly configs: string;
  readonly customFiles: string;
  readonly pipeline: string;
  readonly store: string;
  readonly tmp: string;
  readonly logs: string;
}

/** Turns an office document into a PDF with an external program. Rejects with PROGRAM_MISSING, PROGRAM_FAILED or TIMEOUT. */
export interface OfficeToPdf {
  /** `input` and `outputFolder` are absolute paths inside the run's private folder; the extension of `name` (default: of `input`) says the format. Gives the PDF's path. */
  convert(input: string, outputFolder: string, signal: AbortSignal, name?: string): Promise<string>;
}

/** Writes damaged PDFs anew with external programs. Reaches workers; that none of the programs is installed is no error. */
export interface RebuildPdf {
  /** The programs that are there, the one to try first in front. */
  available(): Promise<readonly string[]>;
  /**
   * Reads the PDF at `input` and writes a new one to `output`: absolute paths inside the run's private folder.
   * Rejects with PROGRAM_MISSING, PROGRAM_FAILED, TIMEOUT, QUEUE_FULL or CANCELLED.
   */
  rebuild(program: string, input: string, output: string, signal: AbortSignal): Promise<void>;
}

/** A part of PDF/A (ISO 19005-1 to -3) and its level: B, which asks that pages look the same everywhere. */
export interface PdfAFlavour {
  readonly part: 1 | 2 | 3;
  readonly conformance: 'B';
}

/** Turns PDFs into PDF/A with an external program. Reaches workers. */
export interface PdfToPdfA {
  /**
   * Reads the PDF at `input`, which needs no password, and writes PDF/A to `output`: absolute paths inside the run's private folder. Some
   * documents cannot be had so: then the result does not claim to be PDF/A, and the caller looks. What is no page (attachments, metadata) may get lost.
   * Rejects with PROGRAM_MISSING, PROGRAM_FAILED, TIMEOUT, QUEUE_FULL or CANCELLED.
   */
  convert(flavour: PdfAFlavour, input: string, output: string, signal: AbortSignal): Promise<void>;
}

/** Converts the colours of a document with an external program. Reaches workers. */
export interface ConvertColours {
  /**
   * Reads the PDF at `input`, which needs no password, and writes one whose pages are the same in DeviceCMYK to `output`: absolute paths inside the
   * run's private folder. Pages come upright, their media box at the origin in points; annotations are not drawn, and what is no page gets lost.
   * Rejects with PROGRAM_MISSING, PROGRAM_FAILED, TIMEOUT, QUEUE_FULL or CANCELLED.
   */
  toCmyk(input: string, output: string, signal: AbortSignal): Promise<void>;
}

/** A message that is sent by mail: as text, as HTML, or as both. */
export interface MailMessage {
  /** Addresses without display names. */
  readonly to: string | readonly string[];
  readonly subject: string;
  readonly text?: string;
  readonly html?: string;
  readonly attachments?: readonly { readonly name: string; readonly mediaType: string; readonly path?: string; readonly content?: Uint8Array }[];
  /** Says in errors what the mail server answered, which may repeat addresses and text: only where those are the caller's own. */
  readonly tellReason?: boolean;
}

/** Sends mail as the server's settings say. */
export interface Mailer {
  /** True when the settings say how; nothing was tried yet. */
  readonly usable: boolean;
  /**
   * Hands the message to the mail server; resolves when that has taken it for every recipient. Rejects with SERVICE_NOT_SET_UP (503) when mail is off,
   * REMOTE_UNREACHABLE (502) when the mail server cannot be reached or does not let this server in, MAIL_REFUSED (502) when it does not take the
   * message or a recipient, and CANCELLED. None tells the password.
   */
  send(message: MailMessage, signal?: AbortSignal): Promise<void>;
}

/** The services that core offers. An operation names those it uses in `needs.services`. */
export const tokens = {
  logger: token<Logger>('logger'),
  clock: token<Clock>('clock'),
  settings: token<SettingsReader>('settings'),
  paths: token<BasePaths>('paths'),
  officeToPdf: token<OfficeToPdf>('officeToPdf'),
  pdfToPdfA: crossingToken<PdfToPdfA>('pdfToPdfA', { convert: ['value', 'input', 'output', 'signal'] }),
  convertColours: crossingToken<ConvertColours>('convertColours', { toCmyk: ['input', 'output', 'signal'] }),
  mailer: token<Mailer>('mailer'),
  rebuildPdf: crossingToken<RebuildPdf>('rebuildPdf', { available: [], rebuild: ['value', 'input', 'output', 'signal'] }),
} as const;
