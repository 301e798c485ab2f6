import { MASK, type Config, type IntegrationType, type JsonValue } from './connection-types.js';

/** Names of what nobody should read, in the settings of connections whose members are not known here. */
const SECRET_NAME = /secret|passw|passphrase|token|api[-_]?key|access[-_]?key(?![-_]?id)|private[-_]?key|auth|cookie|credential|signature|session/i;
const API_SECRETS: ReadonlySet<string> = new Set(['token', 'password', 'loginBody']);

/** True where a member of a connection's settings is a secret. */
function isSecret(type: IntegrationType, path: readonly string[]): boolean {
  const [first = '', second] = path;
  if (type === 'API') return first === 'loginHeaders' ? second !== undefined : first === 'headers' ? second !== undefined && (SECRET_NAME.test(second) || /key/i.test(second)) : API_SECRETS.has(first);
  if (type === 'PURVIEW') return first === 'clientSecret';
  return SECRET_NAME.test(path.at(-1) ?? '');
}

/** Gives the settings with every secret as `********`. */
export function maskSecrets(type: IntegrationType, config: Config): Config {
  return mapMembers(config, [], (path, value) => (isSecret(type, path) && value !== '' && value !== null ? MASK : undefined));
}

/**
 * Gives new settings with the secrets of the stored ones where theirs are masked or blank. A masked one without a stored one becomes undefined and is named in `lost`; a blank one goes away.
 */
export function keepSecrets(type: IntegrationType, given: Config, stored: Config | undefined): { readonly config: Config; readonly lost: readonly string[] } {
  const lost: string[] = [];
  const config = mapMembers(given, [], (path, value) => {
    if (!isSecret(type, path) || (value !== MASK && value !== '' && value !== null)) return undefined;
    const kept = memberAt(stored, path);
    if (kept === undefined && value === MASK) lost.push(path.join('.'));
    return kept ?? '';
  });
  return { config: withoutBlanks(type, config, []), lost };
}

/** Every text of the secrets of a connection that is long enough to be one, to be blotted out where a remote server repeats it. */
export function secretTexts(type: IntegrationType, config: Config): string[] {
  const texts = new Set<string>();
  const gather = (value: JsonValue | undefined): void => {
    if (typeof value === 'string' && value.length >= 4) texts.add(value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(gather);
  };
  mapMembers(config, [], (path, value) => {
    if (!isSecret(type, path)) return undefined;
    gather(value);
    return MASK;
  });
  return [...texts].sort((a, b) => b.length - a.length);
}

/** A copy; what `replace` gives stands in place of a member, which is then not entered. */
function mapMembers(config: Config, path: readonly string[], replace: (path: readonly string[], value: JsonValue | undefined) => JsonValue | undefined): Config {
  return Object.fromEntries(Object.entries(config).map(([key, value]) => {
    const here = [...path, key];
    const replaced = replace(here, value);
    if (replaced !== undefined) return [key, replaced];
    return [key, isObject(value) ? mapMembers(value, here, replace) : value];
  }));
}

function withoutBlanks(type: IntegrationType, config: Config, path: readonly string[]): Config {
  return Object.fromEntries(Object.entries(config).flatMap(([key, value]) => {
    const here = [...path, key];
    if (isSecret(type, here) && value === '') return [];
    return [[key, isObject(value) ? withoutBlanks(type, value, here) : value]];
  }));
}

function memberAt(config: Config | undefined, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = config;
  for (const key of path) value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return value;
}

function isObject(value: JsonValue | undefined): value is Config {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
