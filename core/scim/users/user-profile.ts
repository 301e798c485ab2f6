import type { ProfileSource } from '../../accounts/index.js';
import { isObject } from '../filter/match-filter.js';
import type { Resource } from '../model/schema.js';

/** Attributes that say how people see a user. */
export const profileAttributes: ReadonlySet<string> = new Set(['displayName', 'name', 'photos']);

const ISSUER = 'urn:quire:scim';

/** Reads the name and the picture of a person (RFC 7643, 4.1.1 and 4.1.2). */
export function profileOf({ displayName, name, photos }: Resource): ProfileSource {
  return { issuer: ISSUER, displayName: text(displayName) ?? nameOf(name) ?? null, from: photoOf(photos) };
}

function nameOf(name: unknown): string | undefined {
  if (!isObject(name)) return undefined;
  const parts = [text(name['givenName']), text(name['familyName'])].filter((part) => part !== undefined);
  return text(name['formatted']) ?? (parts.length === 0 ? undefined : parts.join(' '));
}

/** Only over TLS: what comes without could be anybody's. */
function photoOf(photos: unknown): string | undefined {
  const all = Array.isArray(photos) ? (photos as unknown[]).filter(isObject) : [];
  const chosen =
    all.find(({ primary }) => primary === true) ?? all.find(({ type }) => type === 'thumbnail') ?? all.at(0);
  const url = text(chosen?.['value']);
  return url !== undefined && URL.canParse(url) && new URL(url).protocol === 'https:' ? url : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
