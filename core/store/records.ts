import type { Identified, PluginRecords } from '@quire/registry';

export { DuplicateRecord, isDuplicateRecord } from '@quire/registry';
export type { Change, FindOptions, Identified, RecordsOptions, Where } from '@quire/registry';

/** A record set of the store: two adapters, one behaviour (`test/suites/records.ts`). */
export type Records<T extends Identified> = PluginRecords<T>;

/** Checks names that become table, column or collection names; throws on anything but letters, digits, `_` and `-`. */
export function checkName(name: string): string {
  if (!/^[A-Za-z][A-Za-z0-9_-]{0,59}$/.test(name))
    throw new Error(`"${name}" is not a valid name for a record set, area or field`);
  return name;
}
