import type { Logger } from '@quire/registry';
import type { Contents } from './contents.js';
import { dropLink, forgetEndedLinks } from './ended-links.js';
import { contentIds, type KeptFiles } from './kept-files.js';
import type { LinkPasswords, People } from './model.js';
import { allFiles, type Quotas } from './quotas.js';
import { forgetOldUses, type StorageRecords } from './storage-records.js';

export interface UpkeepDeps {
  readonly records: StorageRecords;
  readonly contents: Contents;
  readonly files: KeptFiles;
  readonly quotas: Quotas;
  readonly people: People;
  readonly passwords: Pick<LinkPasswords, 'sweep'>;
  readonly log: Logger;
  /** How many uses of a link are stored. */
  readonly usesPerLink: number;
  now(): number;
}

/** Numbers of items that one round of maintenance removed. */
export interface UpkeepReport {
  readonly links: number;
  readonly contents: number;
  /** Files, folders and shares of deleted users or files. */
  readonly left: number;
}

/**
 * Removes expired links, old uses of lasting ones, contents that no file refers to, and data of deleted users and
 * files; recounts bytes. May run on several servers at once. Reservations, and contents without a file, from before
 * `before` (ms since 1970) belong to crashed uploads and not to any in progress. Rejects with STORE_DOWN.
 */
export async function keepUp(
  { records, contents, files, quotas, people, passwords, log, usesPerLink, now }: UpkeepDeps,
  before: number,
): Promise<UpkeepReport> {
  let [links, left, removed] = [0, 0, 0];
  for (const link of await records.links.find({}, { atMost: { expiresAt: now() } }))
    if (await dropLink(records, link, 'expired', now())) links += 1;
  await forgetEndedLinks(records, now());
  await passwords.sweep();
  // List contents before the files are read: content that is stored later is younger than any candidate.
  const candidates: { readonly id: string; remove(): Promise<boolean> }[] = [];
  for (const blobs of contents.swept) {
    await blobs.sweepUnfinished(Math.max(0, Date.now() - before));
    for await (const { id, modifiedAt } of blobs.list())
      if (modifiedAt.getTime() < before) candidates.push({ id, remove: () => blobs.delete(id) });
  }
  const [owners, named, present] = [new Map<string, boolean>(), new Set<string>(), new Set<string>()];
  const isThere = async (userId: string): Promise<boolean> => {
    const known = owners.get(userId) ?? (await people.byId(userId)) !== undefined;
    owners.set(userId, known);
    return known;
  };
  const folders = new Map((await records.folders.find()).map(({ id, ownerId }) => [id, ownerId]));
  for await (const file of allFiles(records)) {
    if (!(await isThere(file.ownerId))) {
      await files.remove(file.ownerId, file.id).catch(() => undefined);
      left += 1;
      continue;
    }
    present.add(file.id);
    for (const id of contentIds(file)) named.add(id);
    // Read it again: the folder may be newer than the list.
    if (
      file.folderId !== null &&
      !folders.has(file.folderId) &&
      (await records.folders.get(file.folderId)) === undefined
    )
      await records.files.update(file.id, { set: { folderId: null } }, { folderId: file.folderId });
  }
  for (const [id, ownerId] of folders) if (!(await isThere(ownerId)) && (await records.folders.delete(id))) left += 1;
  for (const share of await records.shares.find()) {
    const orphan =
      !(await isThere(share.userId)) ||
      (!present.has(share.fileId) && (await records.files.get(share.fileId)) === undefined);
    if (orphan && (await records.shares.delete(share.id))) left += 1;
  }
  for (const link of await records.links.find()) {
    const orphan = !present.has(link.fileId) && (await records.files.get(link.fileId)) === undefined;
    if (orphan && (await dropLink(records, link, 'revoked', now()))) left += 1;
    else await forgetOldUses(records, link.id, usesPerLink);
  }
  for (const { id, remove } of candidates) if (!named.has(id) && (await remove())) removed += 1;
  await quotas.recount(before);
  const report = { links, contents: removed, left };
  if (links + removed + left > 0) log.info(report, 'removed expired links and unused data of the storage');
  return report;
}
