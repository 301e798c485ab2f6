import type { EndedLinkRecord, LinkRecord } from './model.js';
import type { StorageRecords } from './storage-records.js';

/** How long an ended link without an account is remembered, so that people who open it see why it ended. */
const REMEMBERED_MS = 30 * 86_400_000;

/**
 * Deletes a link with the list of its uses; returns true if it existed. The end of a link that works without an account
 * is remembered for 30 days; `now`: milliseconds since 1970.
 */
export async function dropLink(
  records: StorageRecords,
  link: LinkRecord,
  reason: EndedLinkRecord['reason'],
  now: number,
): Promise<boolean> {
  if (link.withoutAccount === true) await records.ended.put({ id: link.id, reason, forgetAt: now + REMEMBERED_MS });
  const gone = await records.links.delete(link.id);
  await records.accesses.deleteMany({ token: link.id });
  await records.opened.deleteMany({ token: link.id });
  return gone;
}

/** Forgets the links that ended long ago. */
export async function forgetEndedLinks({ ended }: Pick<StorageRecords, 'ended'>, now: number): Promise<void> {
  await ended.deleteMany({}, { atMost: { forgetAt: now } });
}
