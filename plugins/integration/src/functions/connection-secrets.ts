import { isDeepStrictEqual } from 'node:util';
import { movedAddress } from './connection-addresses.js';
import { keepQuery, maskQuery, querySecrets } from './query-secrets.js';
import { MASK, type Config, type IntegrationType, type JsonValue } from './connection-types.js';

/** Names of what nobody should read, in the settings of connections whose members are not known here. */
const SECRET_NAME =
  /secret|passw|passphrase|token|api[-_]?key|access[-_]?key(?![-_]?id)|private[-_]?key|auth|cookie|credential|signature|session|pwd|key$/i;
/** There, what others call headers and environment: every member may be one. */
const SECRET_PLACE = /^(?:headers|env|environment)$/i;
const API_SECRETS: ReadonlySet<string> = new Set(['token', 'password', 'loginBody']);

/** True where a member of a connection's settings is a secret. */
function isSecret(type: IntegrationType, path: readonly string[]): boolean {
  const [first = '', second] = path;
  if (type === 'API')
    return first === 'loginHeaders'
      ? second !== undefined
      : first === 'headers'
        ? second !== undefined && (SECRET_NAME.test(second) || /key/i.test(second))
        : API_SECRETS.has(first);
  if (type === 'PURVIEW') return first === 'clientSecret';
  return SECRET_NAME.test(path.at(-1) ?? '') || path.slice(0, -1).some((name) => SECRET_PLACE.test(name));
}

/** True where a member is an address or a path, whose query may hold secrets. */
function isAddress(type: IntegrationType, path: readonly string[]): boolean {
  const name = path.at(-1) ?? '';
  return type === 'API'
    ? path.length === 1 && name === 'loginPath'
    : type !== 'PURVIEW' && /(?:url|uri|endpoint|path)$/i.test(name);
}

/** Returns the masked form of a member; undefined if it is not secret. */
function masked(type: IntegrationType, path: readonly string[], value: JsonValue | undefined): JsonValue | undefined {
  if (isSecret(type, path)) return value === '' || value === null ? undefined : MASK;
  return typeof value === 'string' && isAddress(type, path) ? maskQuery(value) : undefined;
}

/** Returns the settings with every secret as `********`. */
export function maskSecrets(type: IntegrationType, config: Config): Config {
  return mapMembers(config, [], (path, value) => masked(type, path, value));
}

/**
 * Merges new settings with stored secrets where theirs are masked or blank. A masked secret without a stored one
 * becomes undefined and is named in `lost`; a blank one is removed. When an address changes (`moved`), no stored secret
 * is kept, since it would be sent there: `lost` names all that were to be kept.
 */
export function keepSecrets(
  type: IntegrationType,
  given: Config,
  stored: Config | undefined,
): { readonly config: Config; readonly lost: readonly string[]; readonly moved?: string } {
  const lost: string[] = [];
  const moved = stored === undefined ? undefined : movedAddress(type, given, stored);
  const keep = (
    value: JsonValue | undefined,
    kept: JsonValue | undefined,
    path: readonly string[],
  ): JsonValue | undefined => {
    if (path.length > 0 && isSecret(type, path)) {
      if (value !== MASK && !isBlank(value)) return value;
      if (kept === undefined ? value === MASK : moved !== undefined) lost.push(path.join('.'));
      return moved === undefined ? (kept ?? '') : '';
    }
    if (typeof value === 'string' && isAddress(type, path)) {
      const whole = keepQuery(value, typeof kept === 'string' && moved === undefined ? kept : undefined);
      if (whole === undefined) lost.push(path.join('.'));
      return whole ?? value;
    }
    if (isList(value))
      return value.map(
        (one, i) =>
          keep(one, counterpart(type, one, isList(kept) ? kept : [], { path, at: i, count: value.length }), [
            ...path,
            String(i),
          ]) ?? null,
      );
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [
        key,
        keep(one, isObject(kept) && Object.hasOwn(kept, key) ? kept[key] : undefined, [...path, key]),
      ]),
    );
  };
  const config = withoutBlanks(type, keep(given, stored, []) as Config, []);
  return { config, lost, ...(moved === undefined ? {} : { moved }) };
}

/**
 * Finds the stored counterpart of a list entry: the one that is equal except for secrets. Entries may have been removed
 * or moved, and a secret must never be attached to another entry.
 */
function counterpart(
  type: IntegrationType,
  value: JsonValue,
  kept: readonly JsonValue[],
  { path, at, count }: { readonly path: readonly string[]; readonly at: number; readonly count: number },
): JsonValue | undefined {
  const seen = (one: JsonValue | undefined): JsonValue | undefined =>
    mapMember(one, [...path, String(at)], (here, member) => (isSecret(type, here) ? MASK : masked(type, here, member)));
  const same = (one: JsonValue | undefined): boolean => isDeepStrictEqual(seen(one), seen(value));
  if (count === kept.length && same(kept[at])) return kept[at];
  const [found, ...more] = kept.filter(same);
  return more.length === 0 ? found : undefined;
}

function isBlank(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === '';
}

/**
 * Every text of the secrets of a connection that is long enough to be one, to be blotted out where a remote server
 * repeats it.
 */
export function secretTexts(type: IntegrationType, config: Config): string[] {
  const texts = new Set<string>();
  const gather = (value: JsonValue | undefined): void => {
    if (typeof value === 'string' && value.length >= 4) texts.add(value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(gather);
  };
  mapMembers(config, [], (path, value) => {
    if (!isSecret(type, path)) {
      if (typeof value === 'string' && isAddress(type, path)) gather(querySecrets(value));
      return undefined;
    }
    gather(value);
    return MASK;
  });
  return [...texts].sort((a, b) => b.length - a.length);
}

type Replace = (path: readonly string[], value: JsonValue | undefined) => JsonValue | undefined;

/** Returns a copy; the result of `replace` replaces a member, which is then not entered. */
function mapMembers(config: Config, path: readonly string[], replace: Replace): Config {
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => [key, mapMember(value, [...path, key], replace)]),
  );
}

function mapMember(value: JsonValue | undefined, here: readonly string[], replace: Replace): JsonValue | undefined {
  const replaced = replace(here, value);
  if (replaced !== undefined) return replaced;
  if (isList(value)) return value.map((one, i) => mapMember(one, [...here, String(i)], replace) ?? null);
  return isObject(value) ? mapMembers(value, here, replace) : value;
}

/** In a list a blank stays: what comes after it is known by its place. */
function withoutBlanks(type: IntegrationType, config: Config, path: readonly string[]): Config {
  const inside = (value: JsonValue | undefined, here: readonly string[]): JsonValue | undefined => {
    if (isList(value)) return value.map((one, i) => inside(one, [...here, String(i)]) ?? null);
    return isObject(value) ? withoutBlanks(type, value, here) : value;
  };
  return Object.fromEntries(
    Object.entries(config).flatMap(([key, value]) => {
      const here = [...path, key];
      return isSecret(type, here) && value === '' ? [] : [[key, inside(value, here)]];
    }),
  );
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function isObject(value: JsonValue | undefined): value is Config {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
