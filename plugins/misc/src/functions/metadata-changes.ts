import type { InfoChanges } from '@quire/document/structure/metadata';
import { InputError } from '@quire/registry/errors';

/** What a call says of a document; what it leaves out is removed (docs/interface/misc.yml, update-metadata). */
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

/** What is written and removed, and the fields whose dates cannot be read and are removed for it. */
export interface MetadataChanges {
  readonly changes: InfoChanges;
  readonly unreadable: readonly string[];
}

/** The text by which existing clients ask for an entry to be removed. */
const REMOVES = 'undefined';
/** Names of fields and of the standard's own entries, which `allRequestParams` does not set. */
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
 * Gives the entries of the information dictionary that a call writes and removes: the nine of the standard always, and
 * those of `extra`: pairs `customKey<i>` and `customValue<i>`, and any other name that is none of the standard's.
 * Error: INPUT_INVALID for a name that can be none.
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
 * Reads `yyyy/MM/dd HH:mm:ss` in the time zone of this process; undefined for anything else, also for a day or hour
 * that is none.
 */
export function parseDate(text: string | undefined): Date | undefined {
  const [, ...found] = /^(\d{4})\/(\d{1,2})\/(\d{1,2}) (\d{1,2}):(\d{1,2}):(\d{1,2})$/.exec(text?.trim() ?? '') ?? [];
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found.map(Number);
  const date = new Date(year, month - 1, day, hour, minute, second);
  // Years below 100 are taken for those of the last century.
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
