import { kindInfo, kindOfName } from '@quire/registry';

/** Characters of the longest session id; clients send UUIDs. */
export const LONGEST_SESSION_ID = 128;
const SESSION_ID = new RegExp(`^[A-Za-z0-9-]{1,${LONGEST_SESSION_ID}}$`);
const SCAN_NAME = /^[A-Za-z0-9._-]{1,255}$/;
/** Room for a number in names of 255 characters, which file systems end at. */
const STEM_LENGTH = 200;
const EXTENSION_LENGTH = 20;

/** What phones make and has no kind of its own here, or one of many types. */
const phoneTypes: Readonly<Record<string, string>> = { heic: 'image/heic', heif: 'image/heif', avif: 'image/avif' };
/** What a browser would run as a page or a part of one: HTML, SVG, other XML, scripts. */
const runs = /(?:html|[/+]xml|javascript|ecmascript|x-shockwave-flash|cache-manifest)$/;

/** True for letters, digits and hyphens, as many as an id may have. */
export function isSessionId(id: string): boolean {
  return SESSION_ID.test(id);
}

/** True for text that can be the name of a kept file; anything else names none. */
export function isScanName(name: string): boolean {
  return SCAN_NAME.test(name);
}

/**
 * The name under which a file is kept: every character outside `[A-Za-z0-9._-]` becomes an underscore
 * (`docs/interface/misc.yml`); never `.` or `..`, which addresses cannot end with.
 */
export function scanName(given: string): string {
  const name = given.replace(/[^A-Za-z0-9._-]/g, '_');
  if (/^\.*$/.test(name)) return name.length === 0 ? 'file' : name.slice(0, STEM_LENGTH).replaceAll('.', '_');
  const { stem, extension } = split(name);
  return stem.slice(0, STEM_LENGTH) + extension;
}

/** The n-th name of that kind: `a.jpg`, `a-1.jpg`, `a-2.jpg`. */
export function numberedName(name: string, n: number): string {
  if (n === 0) return name;
  const { stem, extension } = split(name);
  return `${stem}-${n}${extension}`;
}

/**
 * Media type by the extension, else `application/octet-stream`; that also for everything a browser would run, for files
 * here come from strangers.
 */
export function mediaTypeOfName(name: string): string {
  const extension = split(name).extension.slice(1).toLowerCase();
  const kind = kindOfName(name);
  return (
    safeType(phoneTypes[extension] ?? (kind === undefined ? '' : kindInfo(kind).mediaType)) ??
    'application/octet-stream'
  );
}

/**
 * The type that a file is listed with: the one it came with where that tells something and does no harm, else the one
 * of its name.
 */
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
