import { createHash } from 'node:crypto';
import type { Clock } from '@quire/registry';
import { isDuplicateRecord, type Identified, type Records, type Store } from '../store/index.js';
import type { ExternalIdentity } from './model.js';

/** A login at a provider that belongs to an account. The id follows from issuer and subject, so it is unique. */
export interface IdentityRecord extends Identified {
  readonly userId: string;
  readonly issuer: string;
  readonly subject: string;
  /** As the provider wrote them at the last login; null where it said nothing. */
  readonly provider: string;
  readonly username: string | null;
  readonly email: string | null;
  readonly displayName: string | null;
  readonly picture: string | null;
  /** ISO instants. */
  readonly linkedAt: string;
  readonly lastLogin: string | null;
}

/** Which accounts belong to whom at the providers. */
export class IdentityRecords {
  readonly #records: Records<IdentityRecord>;

  constructor(
    store: Pick<Store, 'records'>,
    private readonly clock: Clock,
  ) {
    this.#records = store.records<IdentityRecord>('identities', { keys: ['userId'] });
  }

  get({ provider, subject }: Pick<ExternalIdentity, 'provider' | 'subject'>): Promise<IdentityRecord | undefined> {
    return this.#records.get(idOf(provider.issuer, subject));
  }

  /** Returns the account of a subject of an issuer, for messages of the provider. */
  async userOf(issuer: string, subject: string): Promise<string | undefined> {
    return (await this.#records.get(idOf(issuer, subject)))?.userId;
  }

  list(userId: string): Promise<IdentityRecord[]> {
    return this.#records.find({ userId }, { sort: [{ field: 'linkedAt', order: 'ascending' }] });
  }

  /** Returns the names of the providers of each account that has some. */
  async providersOfUsers(): Promise<ReadonlyMap<string, readonly string[]>> {
    const found = new Map<string, string[]>();
    for (const { userId, provider } of await this.#records.find())
      found.set(userId, [...(found.get(userId) ?? []), provider]);
    return found;
  }

  /** Lets an identity belong to an account; false when it belongs to another one. */
  async link(identity: ExternalIdentity, userId: string): Promise<boolean> {
    const linkedAt = this.clock.now().toISOString();
    const { provider, subject } = identity;
    const id = idOf(provider.issuer, subject);
    const issuer = provider.issuer;
    try {
      await this.#records.insert({ id, userId, issuer, subject, linkedAt, lastLogin: null, ...shown(identity) });
      return true;
    } catch (error) {
      if (!isDuplicateRecord(error)) throw error;
      return (await this.#records.get(id))?.userId === userId;
    }
  }

  /** Notes a login, and what the provider says about the user now. */
  async noteLogin(identity: ExternalIdentity): Promise<void> {
    const lastLogin = this.clock.now().toISOString();
    await this.#records.update(idOf(identity.provider.issuer, identity.subject), {
      set: { lastLogin, ...shown(identity) },
    });
  }

  /** Returns whether the account had this identity. */
  unlink(userId: string, id: string): Promise<boolean> {
    return this.#records.delete(id, { userId });
  }

  async removeAll(userId: string): Promise<void> {
    await this.#records.deleteMany({ userId });
  }
}

function idOf(issuer: string, subject: string): string {
  return createHash('sha256').update(`${issuer}\n${subject}`).digest('base64url');
}

function shown({ provider, username, email, displayName, picture }: ExternalIdentity) {
  return {
    provider: provider.name,
    username: username ?? null,
    email: email ?? null,
    displayName: displayName ?? null,
    picture: picture ?? null,
  };
}
