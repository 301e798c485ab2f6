import { randomUUID } from 'node:crypto';
import { AccessError, InputError, type Mailer, type MailMessage } from '@quire/registry';
import { isDuplicateRecord } from '../store/index.js';
import { dropLink } from './ended-links.js';
import type { KeptFiles } from './kept-files.js';
import type {
  AccessRecord,
  FileRecord,
  LinkPasswords,
  LinkRecord,
  NewLink,
  OpenedRecord,
  People,
  ShareRole,
  StorageSettings,
} from './model.js';
import { forgetOldUses, type StorageRecords } from './storage-records.js';

export interface SharesDeps {
  readonly records: StorageRecords;
  readonly files: KeptFiles;
  readonly people: People;
  readonly passwords: Pick<LinkPasswords, 'hash'>;
  readonly mailer: Pick<Mailer, 'usable' | 'send'>;
  readonly settings: Pick<StorageSettings, 'sharing' | 'links' | 'publicLinks' | 'mails' | 'linkDays' | 'usesPerLink'>;
  /** Returns the mail that contains a link; `accepted`: the languages that the caller accepts (Accept-Language). */
  message(to: string, link: LinkRecord, file: FileRecord, accepted: string | undefined): Promise<MailMessage>;
  isMailAddress(text: string): boolean;
  now(): number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/**
 * Fraction of uses beyond the limit at which the oldest are deleted: rarely, because deleting costs more than
 * recording.
 */
const SPARE = 0.1;

/** Shares of files with users and by links. Only owners share; every user who has a link may read the file. */
export class Shares {
  constructor(private readonly deps: SharesDeps) {}

  /**
   * Shares the owner's file with a user, or sends a link to a mail address without an account. Throws NOT_FOUND,
   * USER_UNKNOWN, INPUT_INVALID for the owner and for mail addresses while links or mails are off, FEATURE_OFF, and the
   * errors of the mailer; then no link is created.
   */
  async withUser(
    ownerId: string,
    fileId: string,
    name: string,
    role: ShareRole,
    { signal, accepted }: { readonly signal?: AbortSignal; readonly accepted?: string | undefined } = {},
  ): Promise<FileRecord> {
    const { records, files, people, settings, mailer } = this.deps;
    this.requireSharing();
    const file = await files.own(ownerId, fileId);
    const user = await people.byName(name);
    if (user?.id === ownerId) throw refused('is the owner of the file');
    if (user !== undefined) {
      const id = `${fileId}@${user.id}`;
      const change = () => records.shares.update(id, { set: { role } });
      if ((await change()) === undefined) {
        await records.shares
          .insert({ id, fileId, ownerId, userId: user.id, role, createdAt: this.deps.now() })
          .catch(async (error: unknown) => {
            if (!isDuplicateRecord(error)) throw error;
            await change();
          });
      }
      return file;
    }
    if (!this.deps.isMailAddress(name)) throw new InputError('USER_UNKNOWN');
    if (!settings.links || !settings.mails || !mailer.usable)
      throw refused('is not a user, and this server does not send links by mail (storage.sharing.emailEnabled)');
    const link = await this.#newLink(file, { role });
    try {
      await mailer.send(await this.deps.message(name, link, file, accepted), signal);
    } catch (error) {
      await dropLink(records, link, 'revoked', this.deps.now());
      throw error;
    }
    return file;
  }

  /**
   * Stops sharing the owner's file with a user; does nothing if it is not shared with that user. Throws NOT_FOUND and
   * USER_UNKNOWN.
   */
  async notWithUser(ownerId: string, fileId: string, name: string): Promise<void> {
    await this.deps.files.own(ownerId, fileId);
    const user = await this.deps.people.byName(name);
    if (user === undefined) throw new InputError('USER_UNKNOWN');
    await this.deps.records.shares.delete(`${fileId}@${user.id}`);
  }

  /** Removes a share of the user. Throws NOT_FOUND, and STORED_FILE_FORBIDDEN for the owner. */
  async leave(userId: string, fileId: string): Promise<void> {
    const file = await this.deps.files.byId(fileId);
    if (file?.ownerId === userId)
      throw new AccessError('STORED_FILE_FORBIDDEN', {
        detail: 'The caller owns the file, so it cannot be removed from the caller',
      });
    if (file === undefined || !(await this.deps.records.shares.delete(`${fileId}@${userId}`)))
      throw new InputError('NOT_FOUND');
  }

  /**
   * Creates a link to the owner's file. Throws FEATURE_OFF, NOT_FOUND, PASSWORD_INVALID, and INPUT_INVALID for a link
   * that would last longer than the settings allow.
   */
  async createLink(ownerId: string, fileId: string, options: NewLink): Promise<LinkRecord> {
    this.requireLinks();
    if (options.withoutAccount === true && !this.deps.settings.publicLinks)
      throw new AccessError('FEATURE_OFF', { setting: 'storage.sharing.publicLinkEnabled is not true' });
    return this.#newLink(await this.deps.files.own(ownerId, fileId), options);
  }

  /**
   * Deletes a link and the list of its uses. Throws NOT_FOUND, and STORED_FILE_FORBIDDEN for a link to another file.
   */
  async removeLink(ownerId: string, fileId: string, token: string): Promise<void> {
    await this.deps.files.own(ownerId, fileId);
    const link = await this.byToken(token);
    if (link === undefined) throw new InputError('NOT_FOUND');
    if (link.fileId !== fileId)
      throw new AccessError('STORED_FILE_FORBIDDEN', { detail: 'The link belongs to another file' });
    await dropLink(this.deps.records, link, 'revoked', this.deps.now());
  }

  /** Returns the uses of a link, newest first. Throws NOT_FOUND. */
  async accesses(ownerId: string, fileId: string, token: string): Promise<AccessRecord[]> {
    await this.deps.files.own(ownerId, fileId);
    const link = await this.byToken(token);
    if (link?.fileId !== fileId) throw new InputError('NOT_FOUND');
    return this.deps.records.accesses.find(
      { token: link.id },
      { sort: [{ field: 'at', order: 'descending' }], limit: this.deps.settings.usesPerLink },
    );
  }

  /**
   * Returns a link with its file, to somebody with an account. Throws FEATURE_OFF, NOT_FOUND for links that are unknown
   * or expired, or whose file was deleted, and SHARE_LINK_GUARDED for those with a password or a number of downloads,
   * which `LinkVisits` opens.
   */
  async follow(token: string): Promise<{ readonly link: LinkRecord; readonly file: FileRecord }> {
    this.requireLinks();
    const link = await this.byToken(token);
    const file = link === undefined || this.isOver(link) ? undefined : await this.deps.files.byId(link.fileId);
    if (link === undefined || file === undefined) throw new InputError('NOT_FOUND');
    if ((link.passwordHash ?? null) !== null || (link.maxDownloads ?? null) !== null)
      throw new AccessError('SHARE_LINK_GUARDED');
    return { link, file };
  }

  /**
   * Records the use of a link; `userId` is empty without an account. Uses beyond the limit are deleted now and then, at
   * random, and by the maintenance.
   */
  async note(link: LinkRecord, userId: string, type: AccessRecord['type']): Promise<void> {
    const { records } = this.deps;
    const at = this.deps.now();
    await records.accesses.insert({ id: randomUUID(), token: link.id, userId, type, at });
    if (userId !== '') await records.opened.put({ id: `${link.id}@${userId}`, token: link.id, userId, at });
    const { usesPerLink } = this.deps.settings;
    if (Math.random() * usesPerLink * SPARE < 1) await forgetOldUses(records, link.id, usesPerLink);
  }

  /** Returns the links that a user used and that still work, last used first. */
  async opened(
    userId: string,
  ): Promise<{ readonly link: LinkRecord; readonly file: FileRecord; readonly opened: OpenedRecord }[]> {
    this.requireLinks();
    const found = [];
    for (const opened of await this.deps.records.opened.find(
      { userId },
      { sort: [{ field: 'at', order: 'descending' }] },
    )) {
      const link = await this.byToken(opened.token);
      const file = link === undefined || this.isOver(link) ? undefined : await this.deps.files.byId(link.fileId);
      if (link !== undefined && file !== undefined) found.push({ link, file, opened });
    }
    return found;
  }

  /** Returns true for an expired link. */
  isOver({ expiresAt }: LinkRecord): boolean {
    return expiresAt !== null && expiresAt <= this.deps.now();
  }

  /** True if links are enabled on this server. */
  get linksUsed(): boolean {
    return this.deps.settings.sharing && this.deps.settings.links;
  }

  /** Throws FEATURE_OFF. */
  requireSharing(): void {
    if (!this.deps.settings.sharing)
      throw new AccessError('FEATURE_OFF', { setting: 'storage.sharing.enabled is not true' });
  }

  /** Throws FEATURE_OFF. */
  requireLinks(): void {
    this.requireSharing();
    if (!this.deps.settings.links)
      throw new AccessError('FEATURE_OFF', {
        setting: 'links need storage.sharing.linkEnabled and a URL in system.frontendUrl',
      });
  }

  /** Returns a link, also an expired one; an invalid token is treated as an unknown one. */
  async byToken(token: string): Promise<LinkRecord | undefined> {
    const id = token.toLowerCase();
    return uuid.test(id) ? this.deps.records.links.get(id) : undefined;
  }

  async #newLink(
    { id: fileId, ownerId }: FileRecord,
    { role, withoutAccount = false, password, maxDownloads = null, expiresInHours = null }: NewLink,
  ): Promise<LinkRecord> {
    const life = this.#lifeOf(expiresInHours);
    const passwordHash = password === undefined ? null : await this.deps.passwords.hash(password);
    const createdAt = this.deps.now();
    return this.deps.records.links.insert({
      id: randomUUID(),
      fileId,
      ownerId,
      role,
      createdAt,
      expiresAt: life === null ? null : createdAt + life,
      withoutAccount,
      passwordHash,
      maxDownloads,
      downloads: 0,
    });
  }

  /** Returns how long a new link works, in milliseconds; null for no end. */
  #lifeOf(hours: number | null): number | null {
    const { linkDays } = this.deps.settings;
    const longest = linkDays < 1 ? null : linkDays * DAY_MS;
    if (hours === null) return longest;
    if (longest === null || hours * HOUR_MS <= longest) return hours * HOUR_MS;
    const detail =
      `is ${hours}; links of this server work for at most ${longest / HOUR_MS} hours ` +
      '(storage.sharing.linkExpirationDays)';
    throw new InputError('INPUT_INVALID', { detail: `"expiresInHours" ${detail}` }, [
      { pointer: '/expiresInHours', detail },
    ]);
  }
}

function refused(detail: string): InputError {
  return new InputError('INPUT_INVALID', { detail: `"username" ${detail}` }, [{ pointer: '/username', detail }]);
}
