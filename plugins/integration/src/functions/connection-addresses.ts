import type { Config, IntegrationType, JsonValue } from './connection-types.js';

/** Members of connections of unknown services that decide where secrets are sent, or which program receives them. */
const ADDRESS_NAME = /(?:url|uri|endpoint|host|hostname|port|server|address|domain|command)$/i;
const ADDRESSES: Partial<Readonly<Record<IntegrationType, readonly string[]>>> = {
  API: ['baseUrl'],
  PURVIEW: ['graphBaseUrl', 'loginBaseUrl'],
};

/**
 * Returns the member by which a changed connection would send its secrets elsewhere, because its scheme, host or port
 * differs from the stored one; undefined if there is none. An address that is left out sends nothing elsewhere, and
 * entries of lists are compared as a whole.
 */
export function movedAddress(type: IntegrationType, given: Config, stored: Config): string | undefined {
  const before = addressesOf(type, stored);
  return [...addressesOf(type, given)].find(([member, origin]) => before.get(member) !== origin)?.[0];
}

function addressesOf(type: IntegrationType, config: Config, path: readonly string[] = []): Map<string, string> {
  const known = ADDRESSES[type];
  return new Map(
    Object.entries(config).flatMap(([name, value]): (readonly [string, string])[] => {
      const here = [...path, name];
      if (isObject(value)) return [...addressesOf(type, value, here)];
      const isAddress = known === undefined ? ADDRESS_NAME.test(name) : path.length === 0 && known.includes(name);
      if (!isAddress || Array.isArray(value) || value === undefined || value === null || value === '') return [];
      return [[here.join('.'), originOf(String(value))]];
    }),
  );
}

/** Scheme, host and port of a web address; any other text without its query. */
function originOf(text: string): string {
  return /^https?:/i.test(text) && URL.canParse(text) ? new URL(text).origin : (text.split(/[?#]/)[0] ?? '');
}

function isObject(value: JsonValue | undefined): value is Config {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
