import { kindInfo, kindOfName } from '@quire/registry';

/** Length of the longest session id; clients send UUIDs. */
export const LONGEST_SESSION_ID = 128;
const SESSION_ID = new RegExp(`^[A-Za-z0-9-]{1,${LONGEST_SESSION_ID}}$`);
/** Length of 128 bits in hexadecimal digits (a UUID has as many), and in letters and digits. */
const HEX_LENGTH = 32;
const MIXED_LENGTH = 22;
/** Random ids of these lengths have more different characters, but for one in a hundred million. */
const LEAST_DIFFERENT = 7;
const SCAN_NAME = /^[A-Za-z0-9._-]{1,255}$/;
/** Leaves space for a number within the 255 characters that file systems allow. */
const STEM_LENGTH = 200;
const EXTENSION_LENGTH = 20;

/** Formats of phones that are not in the registry's file types, or share one with other media types. */
const phoneTypes: Readonly<Record<string, string>> = { heic: 'image/heic', heif: 'image/heif', avif: 'image/avif' };
/** Types that a browser would execute as a page or part of one: HTML, SVG, other XML, scripts. */
const runs = /(?:html|[/+]xml|javascript|ecmascript|x-shockwave-flash|cache-manifest)$/;

/** Returns true for 1 to 128 letters, digits and hyphens. */
export function isSessionId(id: string): boolean {
  return SESSION_ID.test(id);
}

/**
 * Returns true for an id that nobody can guess: everybody who knows it can use the session. It must have the length of
 * 128 bits, as a UUID, 32 hexadecimal digits, or 22 letters and digits.
 */
export function isRandomId(id: string): boolean {
  const text = id.replaceAll('-', '');
  const least = /^[0-9a-f]*$/i.test(text) ? HEX_LENGTH : MIXED_LENGTH;
  return isSessionId(id) && text.length >= least && new Set(text.toLowerCase()).size >= LEAST_DIFFERENT;
}

/** Returns true for text that can be the name of a stored file. */
export function isScanName(name: string): boolean {
  return SCAN_NAME.test(name);
}

/**
 * Returns the name under which a file is stored: characters outside `[A-Za-z0-9._-]` become underscores
 * (`docs/interface/misc.yml`). Never `.` or `..`, because URLs cannot end with them.
 */
export function scanName(given: string): string {
  const name = given.replace(/[^A-Za-z0-9._-]/g, '_');
  if (/^\.*$/.test(name)) return name.length === 0 ? 'file' : name.slice(0, STEM_LENGTH).replaceAll('.', '_');
  const { stem, extension } = split(name);
  return stem.slice(0, STEM_LENGTH) + extension;
}

/** Returns the n-th variant of a name: `a.jpg`, `a-1.jpg`, `a-2.jpg`. */
export function numberedName(name: string, n: number): string {
  if (n === 0) return name;
  const { stem, extension } = split(name);
  return `${stem}-${n}${extension}`;
}

/**
 * Returns the media type for the extension. It is `application/octet-stream` for unknown ones and for everything that a
 * browser would execute, because anonymous users uploaded these files.
 */
export function mediaTypeOfName(name: string): string {
  const extension = split(name).extension.slice(1).toLowerCase();
  const kind = kindOfName(name);
  return (
    safeType(phoneTypes[extension] ?? (kind === undefined ? '' : kindInfo(kind).mediaType)) ??
    'application/octet-stream'
  );
}

/** Returns the media type for the list: the uploaded one if it is specific and safe, else the one for the name. */
export function listedType(mediaType: string, name: string): string {
  return (mediaType === 'application/octet-stream' ? undefined : safeType(mediaType)) ?? mediaTypeOfName(name);
}

function safeType(mediaType: string): string | undefined {
  const type = mediaType.toLowerCase();
  return /^[a-z0-9][\w!#$&^.+-]*\/[a-z0-9][\w!#$&^.+-]*$/.test(type) && !runs.test(type) ? type : undefined;
}

function split(name: string): { readonly stem: string; readonly extension: string } {
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 && name.length - dot <= EXTENSION_LENGTH ? name.slice(dot) : '';
  return { stem: name.slice(0, name.length - extension.length), extension };
}
