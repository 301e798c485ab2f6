import type { InfoChanges } from '@quire/document/structure/metadata';
import { InputError } from '@quire/registry/errors';

/** Metadata sent in a call; absent fields are removed (docs/interface/misc.yml, update-metadata). */
export interface MetadataFields {
  readonly author?: string | undefined;
  readonly creationDate?: string | undefined;
  readonly creator?: string | undefined;
  readonly keywords?: string | undefined;
  readonly modificationDate?: string | undefined;
  readonly producer?: string | undefined;
  readonly subject?: string | undefined;
  readonly title?: string | undefined;
  readonly trapped?: string | undefined;
}

/** Entries to write and to remove, and the fields that are removed because their dates are unreadable. */
export interface MetadataChanges {
  readonly changes: InfoChanges;
  readonly unreadable: readonly string[];
}

/** Existing clients send this text to remove an entry. */
const REMOVES = 'undefined';
/** Names of the fields and of the standard entries, which `allRequestParams` does not set. */
const STANDARD: ReadonlySet<string> = new Set([
  'author',
  'creationdate',
  'creator',
  'keywords',
  'moddate',
  'modificationdate',
  'producer',
  'subject',
  'title',
  'trapped',
  'deleteall',
  'fileinput',
  'fileid',
  'async',
  'allrequestparams',
]);

/**
 * Returns the entries of the information dictionary that a call writes and removes: always the nine standard ones, and
 * those of `extra`, which are pairs `customKey<i>` and `customValue<i>` and any other name that is not a standard one.
 * Throws INPUT_INVALID for an invalid name.
 */
export function metadataChanges(fields: MetadataFields, extra: Readonly<Record<string, string>> = {}): MetadataChanges {
  const kept = (value: string | undefined): string | undefined =>
    value === undefined || value === REMOVES ? undefined : value;
  const dates = { creationDate: kept(fields.creationDate), modificationDate: kept(fields.modificationDate) };
  const unreadable = (Object.keys(dates) as (keyof typeof dates)[]).filter(
    (key) => dates[key] !== undefined && parseDate(dates[key]) === undefined,
  );
  const changes: Record<string, string | Date | undefined> = {
    Author: kept(fields.author),
    CreationDate: parseDate(dates.creationDate),
    Creator: kept(fields.creator),
    Keywords: kept(fields.keywords),
    ModDate: parseDate(dates.modificationDate),
    Producer: kept(fields.producer),
    Subject: kept(fields.subject),
    Title: kept(fields.title),
    Trapped: kept(fields.trapped),
  };
  for (const [name, value] of Object.entries(extra)) {
    const [, , number] = /^custom(Key|Value)(\d*)$/.exec(name) ?? [];
    if (number === undefined) set(changes, name, kept(value));
    else if (name.startsWith('customKey')) set(changes, value, kept(extra[`customValue${number}`]));
  }
  return { changes, unreadable };
}

function set(changes: Record<string, string | Date | undefined>, name: string, value: string | undefined): void {
  const key = name.trim();
  if (/\p{Cc}/u.test(key))
    throw new InputError('INPUT_INVALID', { detail: 'allRequestParams names an entry with control characters' }, [
      { pointer: '/allRequestParams', detail: 'names an entry with control characters' },
    ]);
  if (key !== '' && !STANDARD.has(key.toLowerCase())) changes[key] = value;
}

/**
 * Parses `yyyy/MM/dd HH:mm:ss` in the time zone of this process, and ISO 8601 with a zone; undefined for anything else,
 * including days and hours that do not exist.
 */
export function parseDate(text: string | undefined): Date | undefined {
  const zoned = ZONED.exec(text?.trim() ?? '');
  if (zoned !== null) return parseZoned(zoned[1]!, zoned[2]!);
  const [, ...found] = /^(\d{4})\/(\d{1,2})\/(\d{1,2}) (\d{1,2}):(\d{1,2}):(\d{1,2})$/.exec(text?.trim() ?? '') ?? [];
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found.map(Number);
  const date = new Date(year, month - 1, day, hour, minute, second);
  // The Date constructor maps years below 100 to the last century.
  date.setFullYear(year);
  const exists =
    found.length === 6 &&
    date.getMonth() === month - 1 &&
    date.getDate() === day &&
    hour < 24 &&
    minute < 60 &&
    second < 60;
  return exists ? date : undefined;
}

/** The time and its zone of ISO 8601 (RFC 3339). */
const ZONED = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

/** The Date constructor moves days that a month does not have into the next one. */
function parseZoned(time: string, zone: string): Date | undefined {
  const [local, date] = [new Date(`${time}Z`), new Date(`${time}${zone}`)];
  const exists = !Number.isNaN(date.getTime()) && local.toISOString().startsWith(time);
  return exists ? date : undefined;
}
