/** A named service. Identity is the string behind the symbol, so two copies of this package agree. */
export interface Token<T> {
  readonly symbol: symbol;
  readonly name: string;
  /** Carries the type only; never present at run time. */
  readonly __type?: T;
}

/** Makes a token; the same name always gives the same identity. */
export function token<T>(name: string): Token<T> {
  return { symbol: Symbol.for(`quire.${name}`), name };
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

/** The services that core offers. An operation names those it uses in `needs.services`. */
export const tokens = {
  logger: token<Logger>('logger'),
  clock: token<Clock>('clock'),
  settings: token<SettingsReader>('settings'),
  paths: token<BasePaths>('paths'),
  officeToPdf: token<OfficeToPdf>('officeToPdf'),
} as const;
