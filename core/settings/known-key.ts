/** How a value is written in YAML and what it becomes. A trailing `?` allows null. */
export type KeyType =
  | 'string'
  | 'boolean'
  | 'boolean?'
  | 'integer'
  | 'strings'
  | 'integers'
  | 'objects'
  | 'plugins'
  | 'operations';

/** Text forms that a string key may demand. */
export type KeyFormat = 'size' | 'path-prefix' | 'url' | 'mongodb' | 'secret-key' | 'webhook-secret';

/** One key of the settings: the single place where its type, default and meaning stand. */
export interface KnownKey {
  /** Dotted path, as in YAML. */
  readonly path: string;
  readonly type: KeyType;
  readonly default: string | number | boolean | null | readonly (string | number)[] | Readonly<Record<string, never>>;
  /** The only values taken. */
  readonly allowed?: readonly (string | number)[];
  readonly min?: number;
  readonly max?: number;
  readonly format?: KeyFormat;
  /** Shown as ******** wherever settings are printed. */
  readonly secret?: boolean;
  /**
   * Only the settings file and the environment can set it: it names a file, folder or program of the machine, or the
   * store, so whoever could set it by HTTP would reach the system.
   */
  readonly fileOnly?: boolean;
  /** Keys of the address that this secret is sent to: when the address changes, the secret must be given again. */
  readonly sentTo?: readonly string[];
  /** False: taken so that an existing settings file does not stop the start, but nothing reads it yet. */
  readonly acts: boolean;
  /** Of a key that does not act: one sentence why it never will here, and what to use instead. */
  readonly instead?: string;
  readonly meaning: string;
}

/** Ceilings and switches of one operation (`operations` in the settings). Unset members keep the declared ones. */
export interface OperationSettings {
  readonly enabled: boolean;
  /** Milliseconds. */
  readonly timeoutMs?: number;
  readonly concurrency?: number;
  /** Bytes. */
  readonly maxBytes?: number;
  readonly maxPages?: number;
}

/** One entry of `plugins`. */
export interface PluginUse {
  /** Package name. */
  readonly use: string;
  /** True: a fault of this plugin is a warning and does not stop the start. */
  readonly optional: boolean;
  readonly options: Readonly<Record<string, unknown>>;
  /** `file:line` of the entry, for messages. */
  readonly where: string;
  /** Folder of the settings file that names it; packages are resolved from there first. */
  readonly folder: string;
}

interface ValueOf {
  string: string;
  boolean: boolean;
  'boolean?': boolean | null;
  integer: number;
  strings: readonly string[];
  integers: readonly number[];
  objects: readonly Readonly<Record<string, unknown>>[];
  plugins: readonly PluginUse[];
  operations: Readonly<Record<string, OperationSettings>>;
}

/** The value type of a row; an enumerated one becomes the union of its words. */
export type KeyValue<K extends KnownKey> = K extends { type: 'string'; allowed: readonly (infer A)[] }
  ? A
  : ValueOf[K['type']];
