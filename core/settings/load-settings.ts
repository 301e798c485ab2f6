import { join, relative, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { baseFolder, basePaths, shippedSettingsFile } from './base-paths.js';
import { checkOperations, checkPlugins, checkValue, type FoundPlugin } from './check-values.js';
import { knownKeyByPath, knownKeys, type SettingsValues } from './known-keys.js';
import type { OperationSettings } from './known-key.js';
import { readEnvironment } from './read-environment.js';
import { readSettingsFile, type FoundValue } from './read-settings-file.js';
import { makeSettings, type Settings } from './settings.js';
import { FaultList } from './settings-error.js';

/** Where settings are taken from. */
export interface SettingsSources {
  /** The operator's file instead of `<base>/configs/settings.yml` (`--settings`); it must exist. */
  readonly argvFile?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Working folder: relative paths count from here. */
  readonly cwd: string;
  /** What the caller found out about these sources, for the log and for `npm run settings`. */
  readonly warnings?: readonly string[];
  /** The shipped file; for tests. */
  readonly shippedFile?: string;
}

/**
 * Reads the settings: shipped file, operator's file, custom_settings.yml, environment; later ones win.
 * Throws SettingsError with every fault (SETTINGS_INVALID) at once.
 */
export function loadSettings(sources: SettingsSources): Settings {
  const { env, cwd } = sources;
  const base = baseFolder(env, cwd);
  const shippedFile = sources.shippedFile ?? shippedSettingsFile();
  const operatorFile =
    sources.argvFile === undefined ? join(base, 'configs', 'settings.yml') : resolve(cwd, sources.argvFile);
  const customFile = join(base, 'configs', 'custom_settings.yml');
  const faults = new FaultList();
  const shown = (file: string): string => {
    const short = relative(cwd, file);
    return short.startsWith('..') ? file : short;
  };

  const layers: { found: readonly FoundValue[]; shipped: boolean }[] = [];
  const files: string[] = [];
  for (const [file, required] of [
    [shippedFile, true],
    [operatorFile, sources.argvFile !== undefined],
    [customFile, false],
  ] as const) {
    const { found, exists } = readSettingsFile(file, shown(file), faults);
    if (exists) files.push(file);
    else if (required) faults.add(shown(file), 'does not exist.');
    layers.push({ found, shipped: file === shippedFile });
  }
  const environment = readEnvironment(env, cwd, faults);
  layers.push({ found: environment.found, shipped: false });

  const values = new Map<string, unknown>(knownKeys.map((key) => [key.path, key.default]));
  const origins = new Map<string, string>();
  const operationPlaces = new Map<string, string>();
  for (const { found, shipped } of layers) {
    for (const item of found) {
      const { path, type } = item.key;
      const before = faults.size;
      const value =
        type === 'plugins'
          ? mergePlugins(values.get(path) as readonly FoundPlugin[], checkPlugins(item, faults))
          : type === 'operations'
            ? mergeOperations(values.get(path) as SettingsValues['operations'], item, operationPlaces, faults)
            : checkValue(item, faults);
      if (faults.size > before) continue;
      values.set(path, value);
      if (!shipped) origins.set(path, item.origin);
    }
  }
  faults.throwIfAny();

  const wanted = (values.get('plugins') as readonly FoundPlugin[]).filter(({ enabled }) => enabled);
  values.set(
    'plugins',
    wanted.map(({ use, optional, options, where, folder }) => ({ use, optional, options, where, folder })),
  );
  const paths = basePaths(base, cwd, {
    pipeline: values.get('system.customPaths.pipeline.pipelineDir') as string,
    tmp: values.get('system.tempFileManagement.baseTmpDir') as string,
  });
  return makeSettings({
    values,
    origins,
    paths,
    files,
    warnings: [...(sources.warnings ?? []), ...environment.warnings, ...ignoredKeys(values, origins)],
    variable: (name) => env[name],
    operationPlaces,
    keys: knownKeyByPath,
    operatorFile,
    reload: (instead) => loadSettings(instead === undefined ? sources : { ...sources, argvFile: instead }),
  });
}

/** One sentence for each key that somebody has set, and that nothing reads. */
function ignoredKeys(values: ReadonlyMap<string, unknown>, origins: ReadonlyMap<string, string>): string[] {
  return knownKeys.flatMap((key) =>
    key.acts || isDeepStrictEqual(values.get(key.path), key.default)
      ? []
      : [`${origins.get(key.path) ?? 'shipped'}: ${key.path} has no effect. ${key.instead}`],
  );
}

// The operator's file says only what differs, so its entries are added to the shipped ones; the same name again
// replaces the entry.
function mergePlugins(before: readonly FoundPlugin[], found: readonly FoundPlugin[]): readonly FoundPlugin[] {
  const byName = new Map(before.map((plugin) => [plugin.use, plugin]));
  for (const plugin of found) byName.set(plugin.use, plugin);
  return [...byName.values()];
}

function mergeOperations(
  before: SettingsValues['operations'],
  item: FoundValue,
  places: Map<string, string>,
  faults: FaultList,
): SettingsValues['operations'] {
  const merged: Record<string, OperationSettings> = { ...before };
  for (const [path, { set, where }] of checkOperations(item, faults)) {
    merged[path] = { ...(merged[path] ?? { enabled: true }), ...set };
    places.set(path, where);
  }
  return merged;
}
