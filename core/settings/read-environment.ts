import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { KnownKey } from './known-key.js';
import { environmentAliases, environmentName, knownKeyByPath, knownKeys } from './known-keys.js';
import { nearestName } from './nearest-key.js';
import type { FoundValue } from './read-settings-file.js';
import type { FaultList } from './settings-error.js';

/** Bytes; the longest secrets are connection addresses and keys in PEM form. */
const MAX_SECRET_FILE = 64 * 1024;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Finds the settings in the environment: the key's path in upper case, dots to underscores, hyphens removed.
 * Lists are comma separated or indexed (`NAME_0`, `NAME_0_`), objects in lists indexed (`NAME_0_HOST`).
 * Empty variables count as not set, except for plain texts. `plugins` and `operations` are read from files alone.
 * A secret may also be the content of a file that `NAME_FILE` names, as Docker and Kubernetes mount them.
 */
export function readEnvironment(
  env: Environment,
  cwd: string,
  faults: FaultList,
): { readonly found: readonly FoundValue[]; readonly warnings: readonly string[] } {
  const found: FoundValue[] = [];
  for (const key of knownKeys) {
    if (key.type === 'plugins' || key.type === 'operations') continue;
    const name = environmentName(key.path);
    const aliases = environmentAliases.filter(({ path }) => path === key.path);
    if (key.secret === true) {
      const inFile = secretInFile(key, [name, ...aliases.map((alias) => alias.name)], { env, cwd, faults });
      if (inFile !== undefined) {
        found.push(inFile);
        continue;
      }
    }
    const value = isList(key) ? listValue(key, name, env) : scalarValue(key, env[name]);
    if (value !== undefined) {
      found.push({ key, value, origin: `environment ${name}`, folder: cwd });
      continue;
    }
    for (const alias of aliases) {
      const text = env[alias.name]?.trim() ?? '';
      if (text === '') continue;
      found.push({
        key,
        value: alias.unit !== undefined && /^\d+$/.test(text) ? text + alias.unit : text,
        origin: `environment ${alias.name}`,
        folder: cwd,
      });
      break;
    }
  }
  return { found, warnings: nearMisses(env) };
}

/**
 * The secret in the file that one of these names with `_FILE` points to; undefined if none is set, or a fault was
 * added.
 */
function secretInFile(
  key: KnownKey,
  names: readonly string[],
  { env, cwd, faults }: { readonly env: Environment; readonly cwd: string; readonly faults: FaultList },
): FoundValue | undefined {
  const name = names.find((each) => (env[`${each}_FILE`]?.trim() ?? '') !== '');
  if (name === undefined) return undefined;
  const origin = `environment ${name}_FILE`;
  const given = names.find((each) => (env[each] ?? '') !== '');
  const file = resolve(cwd, env[`${name}_FILE`]?.trim() ?? '');
  if (given !== undefined) {
    faults.add(origin, `${key.path} is set by ${given} too; keep one of the two.`);
    return undefined;
  }
  try {
    const bytes = readFileSync(file);
    // One line break at the end is the editor's.
    const value = bytes
      .toString('utf8')
      .replace(/^\uFEFF/, '')
      .replace(/\r?\n$/, '');
    if (bytes.length <= MAX_SECRET_FILE && value !== '') return { key, value, origin, folder: cwd };
    const detail = value === '' ? 'is empty' : `has ${bytes.length} bytes, and a secret has at most ${MAX_SECRET_FILE}`;
    faults.add(origin, `the file ${file} ${detail}; it should contain the value of ${key.path}.`);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown';
    faults.add(origin, `the file ${file} cannot be read (${reason}); it should contain the value of ${key.path}.`);
  }
  return undefined;
}

function isList(key: KnownKey): boolean {
  return key.type === 'strings' || key.type === 'integers' || key.type === 'objects';
}

function scalarValue(key: KnownKey, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (key.type === 'string' && key.allowed === undefined) return text;
  return text.trim() === '' ? undefined : text.trim();
}

function listValue(key: KnownKey, name: string, env: Environment): unknown[] | undefined {
  const whole = env[name]?.trim() ?? '';
  if (whole !== '' && key.type !== 'objects')
    return whole
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
  const list: unknown[] = [];
  for (let index = 0; ; index++) {
    const item =
      key.type === 'objects'
        ? objectAt(`${name}_${index}_`, env)
        : (env[`${name}_${index}_`] ?? env[`${name}_${index}`]);
    if (item === undefined) break;
    list.push(item);
  }
  return list.length > 0 ? list : undefined;
}

const objectMembers = ['host', 'port', 'hostLocation', 'protocol'] as const;

function objectAt(prefix: string, env: Environment): Record<string, string> | undefined {
  const entries = objectMembers.flatMap((member) => {
    const value = env[prefix + member.toUpperCase()];
    return value === undefined ? [] : [[member, value] as const];
  });
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

// The environment is shared with other programs, so a variable with a similar name is reported, never refused.
function nearMisses(env: Environment): string[] {
  const names = new Map(knownKeys.map(({ path }) => [environmentName(path), path]));
  const heads = new Set(
    [...names.keys()].filter((name) => name.includes('_')).map((name) => name.slice(0, name.indexOf('_') + 1)),
  );
  const bare = new Map([...names.keys()].map((name) => [name.replaceAll('_', ''), name]));
  const known = new Set([...names.keys(), ...environmentAliases.map(({ name }) => name)]);
  for (const { path } of knownKeys.filter(({ secret }) => secret === true)) known.add(`${environmentName(path)}_FILE`);
  for (const { name, path } of environmentAliases)
    if (knownKeyByPath.get(path)?.secret === true) known.add(`${name}_FILE`);
  const warnings: string[] = [];
  for (const name of Object.keys(env)) {
    if (known.has(name) || /_\d+(_|$)/.test(name) || ![...heads].some((head) => name.startsWith(head))) continue;
    if (name.endsWith('_FILE') && known.has(name.slice(0, -'_FILE'.length))) {
      const setting = name.slice(0, -'_FILE'.length);
      warnings.push(`${name} has no effect: only secrets can be given as files. Set ${setting} instead.`);
      continue;
    }
    const near = bare.get(name.replaceAll('_', '')) ?? nearestName(name, names.keys(), 2);
    if (near !== undefined)
      warnings.push(`The environment variable ${name} is not a setting and has no effect. Did you mean ${near}?`);
  }
  return warnings;
}
