import type { KnownKey } from './known-key.js';
import { environmentAliases, environmentName, knownKeys } from './known-keys.js';
import { nearestName } from './nearest-key.js';
import type { FoundValue } from './read-settings-file.js';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Finds the settings in the environment: the key's path in upper case, dots to underscores, hyphens removed.
 * Lists are comma separated or indexed (`NAME_0`, `NAME_0_`), objects in lists indexed (`NAME_0_HOST`).
 * Empty variables count as not set, except for plain texts. `plugins` and `operations` are read from files alone.
 */
export function readEnvironment(
  env: Environment,
  cwd: string,
): { readonly found: readonly FoundValue[]; readonly warnings: readonly string[] } {
  const found: FoundValue[] = [];
  for (const key of knownKeys) {
    if (key.type === 'plugins' || key.type === 'operations') continue;
    const name = environmentName(key.path);
    const value = isList(key) ? listValue(key, name, env) : scalarValue(key, env[name]);
    if (value !== undefined) {
      found.push({ key, value, origin: `environment ${name}`, folder: cwd });
      continue;
    }
    for (const alias of environmentAliases.filter(({ path }) => path === key.path)) {
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
  const warnings: string[] = [];
  for (const name of Object.keys(env)) {
    if (known.has(name) || /_\d+(_|$)/.test(name) || ![...heads].some((head) => name.startsWith(head))) continue;
    const near = bare.get(name.replaceAll('_', '')) ?? nearestName(name, names.keys(), 2);
    if (near !== undefined)
      warnings.push(`The environment variable ${name} is not a setting and has no effect. Did you mean ${near}?`);
  }
  return warnings;
}
