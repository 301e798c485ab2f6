import type { BasePaths, SettingsReader } from '@quire/registry';
import { DefectError } from '@quire/registry/errors';
import { mask } from './check-values.js';
import type { KnownKey } from './known-key.js';
import type { SettingsValues } from './known-keys.js';

/** One effective setting and where it came from. */
export interface SettingsEntry {
  readonly path: string;
  /** A secret that is set stands as ********. */
  readonly value: unknown;
  /** `shipped`, `file:line`, or `environment NAME`. */
  readonly origin: string;
  readonly secret: boolean;
  readonly acts: boolean;
  /** For a key that does not act: why, and what to use instead. */
  readonly instead?: string;
  readonly meaning: string;
}

/** The effective settings; frozen. */
export interface Settings extends SettingsReader {
  get<P extends keyof SettingsValues>(path: P): SettingsValues[P];
  get<T = unknown>(path: string): T;
  /** Where the value comes from: `shipped`, `file:line`, or `environment NAME`. */
  origin(path: string): string;
  /** `file:line` of an entry of `operations`. */
  operationOrigin(path: string): string;
  /** Every key, secrets masked. */
  entries(): readonly SettingsEntry[];
  readonly paths: BasePaths;
  /** The settings files that were read, shipped one first. */
  readonly files: readonly string[];
  readonly warnings: readonly string[];
  /** A variable of the environment that is no setting. Secrets are read here, because process.env has none. */
  variable(name: string): string | undefined;
  /** The operator's file, which may not exist yet. */
  readonly operatorFile: string;
  /** Reads the same sources again, with `instead` in place of the operator's file. Throws SettingsError. */
  reload(instead?: string): Settings;
}

/** Checked settings with their origins. */
export interface CheckedSettings {
  readonly values: ReadonlyMap<string, unknown>;
  readonly origins: ReadonlyMap<string, string>;
  readonly operationPlaces: ReadonlyMap<string, string>;
  readonly paths: BasePaths;
  readonly files: readonly string[];
  readonly warnings: readonly string[];
  readonly keys: ReadonlyMap<string, KnownKey>;
  readonly operatorFile: string;
  variable(name: string): string | undefined;
  reload(instead?: string): Settings;
}

/** Builds the frozen settings. Asking for a key that is not in the table is our defect, not undefined. */
export function makeSettings(checked: CheckedSettings): Settings {
  const { keys, origins, operationPlaces, paths } = checked;
  const values = new Map([...checked.values].map(([path, value]) => [path, deepFreeze(structuredClone(value))]));
  const known = (path: string): KnownKey => {
    const key = keys.get(path);
    if (key === undefined) throw new DefectError('INTERNAL', { detail: `settings have no key ${path}` });
    return key;
  };
  const settings: Settings = {
    get: (path: string) => {
      known(path);
      return values.get(path) as never;
    },
    origin: (path) => origins.get(known(path).path) ?? 'shipped',
    operationOrigin: (path) => operationPlaces.get(path) ?? 'operations',
    entries: () =>
      [...keys.values()].map((key) => {
        const value = values.get(key.path);
        const hidden = key.secret === true && value !== '' && value !== null;
        return {
          path: key.path,
          value: hidden ? mask : value,
          origin: origins.get(key.path) ?? 'shipped',
          secret: key.secret === true,
          acts: key.acts,
          ...(key.acts ? {} : { instead: key.instead }),
          meaning: key.meaning,
        };
      }),
    paths,
    files: Object.freeze([...checked.files]),
    warnings: Object.freeze([...checked.warnings]),
    operatorFile: checked.operatorFile,
    variable: (name) => checked.variable(name),
    reload: (instead) => checked.reload(instead),
  };
  return Object.freeze(settings);
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) deepFreeze(inner);
    Object.freeze(value);
  }
  return value;
}

/** The address to listen on: the one set, else loopback while login is off and everywhere while it is on. */
export function listenHost(settings: Settings): string {
  const host = settings.get('server.host');
  if (host !== '') return host;
  return settings.get('security.enableLogin') ? '0.0.0.0' : '127.0.0.1';
}

/** An origin or fault as clients see it: the file's name and line, without its folder. */
export function shortOrigin(text: string): string {
  return text.replace(/^\S*[/\\]([^/\\\s]+\.ya?ml\b)/, '$1');
}
