import { AccessError, InputError } from '@quire/registry';
import type { FileRecord, LinkPasswords, LinkRecord, People, StorageSettings } from './model.js';
import type { KeptFiles } from './kept-files.js';
import type { Shares } from './shares.js';
import type { StorageRecords } from './storage-records.js';

export interface LinkVisitsDeps {
  readonly records: StorageRecords;
  readonly files: KeptFiles;
  readonly shares: Shares;
  readonly people: People;
  readonly passwords: LinkPasswords;
  readonly settings: Pick<StorageSettings, 'publicLinks'>;
  now(): number;
}

/** Somebody who opens a link. */
export interface Visitor {
  /** Empty without an account. */
  readonly userId: string;
  readonly address: string;
  readonly password: string | undefined;
}

/** The file of a link, to a visitor who may see it. */
export interface Visit {
  readonly link: LinkRecord;
  readonly file: FileRecord;
}

/** Opens links with their password and number of downloads; those that say so also without an account. */
export class LinkVisits {
  constructor(private readonly deps: LinkVisitsDeps) {}

  /**
   * Returns the file behind a link. Throws FEATURE_OFF, NOT_FOUND for an unknown link, SHARE_LINK_EXPIRED,
   * SHARE_LINK_REVOKED and SHARE_LINK_USED_UP for one that has ended, KEY_INVALID without an account where the link
   * needs one, SHARE_LINK_PASSWORD_REQUIRED, SHARE_LINK_PASSWORD_WRONG and TOO_MANY_ATTEMPTS.
   */
  async open(token: string, visitor: Visitor): Promise<Visit> {
    const { shares, files, passwords } = this.deps;
    shares.requireLinks();
    if (visitor.userId === '') await passwords.admit(visitor.address);
    const link = await this.#find(token);
    if (visitor.userId === '' && !this.#isForStrangers(link)) throw new AccessError('KEY_INVALID', { given: false });
    if (shares.isOver(link)) throw new AccessError('SHARE_LINK_EXPIRED');
    const file = await files.byId(link.fileId);
    if (file === undefined || (visitor.userId === '' && !(await this.#isOwned(file))))
      throw new AccessError('SHARE_LINK_REVOKED');
    if (downloadsLeft(link) === 0) throw new AccessError('SHARE_LINK_USED_UP');
    await this.#checkPassword(link, visitor);
    return { link, file };
  }

  /**
   * Counts a download of a link that has a number of them, before its content is sent: of two at once, only as many
   * succeed as are left. Throws SHARE_LINK_USED_UP.
   */
  async take({ id, maxDownloads }: LinkRecord): Promise<void> {
    if (maxDownloads === undefined || maxDownloads === null) return;
    const counted = await this.deps.records.links.update(
      id,
      { inc: { downloads: 1 } },
      {},
      { atMost: { downloads: maxDownloads - 1 } },
    );
    if (counted === undefined) throw new AccessError('SHARE_LINK_USED_UP');
  }

  /** Takes back a counted download of which nothing was sent. */
  async giveBack({ id, maxDownloads }: LinkRecord): Promise<void> {
    if (maxDownloads !== undefined && maxDownloads !== null)
      await this.deps.records.links.update(id, { inc: { downloads: -1 } });
  }

  async #find(token: string): Promise<LinkRecord> {
    const { shares, records } = this.deps;
    const link = await shares.byToken(token);
    if (link !== undefined) return link;
    const ended = await records.ended.get(token.toLowerCase());
    if (ended === undefined || ended.forgetAt <= this.deps.now()) throw new InputError('NOT_FOUND');
    throw new AccessError(ended.reason === 'expired' ? 'SHARE_LINK_EXPIRED' : 'SHARE_LINK_REVOKED');
  }

  #isForStrangers({ withoutAccount }: LinkRecord): boolean {
    return withoutAccount === true && this.deps.settings.publicLinks;
  }

  /** Nobody answers for what a deleted or disabled account has shared with strangers. */
  async #isOwned({ ownerId }: FileRecord): Promise<boolean> {
    return (await this.deps.people.byId(ownerId))?.enabled === true;
  }

  async #checkPassword({ id, passwordHash }: LinkRecord, { password, address }: Visitor): Promise<void> {
    if (passwordHash === undefined || passwordHash === null) return;
    if (password === undefined) throw new AccessError('SHARE_LINK_PASSWORD_REQUIRED');
    if (!(await this.deps.passwords.verify({ id, passwordHash }, password, address)))
      throw new AccessError('SHARE_LINK_PASSWORD_WRONG');
  }
}

/** Returns how often the content of a link may still be sent; null for no limit. */
export function downloadsLeft({ maxDownloads, downloads = 0 }: LinkRecord): number | null {
  return maxDownloads === undefined || maxDownloads === null ? null : Math.max(0, maxDownloads - downloads);
}
