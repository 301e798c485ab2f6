import { createHash } from 'node:crypto';
import { isQuireError, OperationalError, type Clock, type Logger, type Outbound } from '@quire/registry';
import { isDuplicateRecord, type Identified, type Records, type Store } from '../../store/index.js';
import type { Users } from '../users.js';
import { PictureRefused, pictureTypeOf, type PictureType } from './picture-kind.js';

/** The picture of an account; the id is that of the account. */
interface PictureRecord extends Identified {
  /** Null while there is none. */
  readonly mediaType: PictureType | null;
  /** Base64. */
  readonly data: string;
  /** Of the content. */
  readonly version: string;
  /** Who names it: the issuer of a login, or SCIM. */
  readonly issuer: string;
  /** Digest of the address. */
  readonly address: string;
  /** Milliseconds since 1970. */
  readonly fetchedAtMs: number;
  /** The user has removed it, and wants none of a provider. */
  readonly removed: boolean;
}

/** Where a provider has the picture of a user: an address, or the picture itself; undefined where there is none. */
export interface PictureSource {
  readonly issuer: string;
  readonly from: string | Uint8Array | undefined;
}

export interface Picture {
  readonly mediaType: PictureType;
  readonly bytes: Buffer;
  readonly version: string;
}

export interface PicturesDeps {
  readonly store: Pick<Store, 'records'>;
  readonly users: Pick<Users, 'byId' | 'change' | 'everybody' | 'onUserChange'>;
  /** Undefined while `security.userPictures` is off. */
  readonly outbound: Pick<Outbound, 'call'> | undefined;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Largest picture, bytes: providers send some ten KB. */
const LARGEST_PICTURE = 256 * 1024;
const TIMEOUT_MS = 5000;
/** Gravatar and others send browsers on. */
const REDIRECTS = 3;
/** How long a picture is kept before its address is asked again, ms. */
const KEEP_MS = 24 * 3_600_000;
/** Pictures that are fetched at once; further logins do without, and get theirs the next time. */
const MOST_AT_ONCE = 8;

/**
 * Pictures of users. The server fetches them when somebody logs in, after the login and beside it, so that no browser
 * asks a provider who looks at whom, and a login never waits for one (docs/internals/adr/0113-pictures-of-users.md).
 */
export class Pictures {
  readonly #records: Records<PictureRecord>;
  readonly #running = new Map<string, Promise<void>>();

  constructor(private readonly deps: PicturesDeps) {
    this.#records = deps.store.records<PictureRecord>('user_pictures');
    deps.users.onUserChange((id, what) => (what === 'gone' ? void this.#records.delete(id) : undefined));
  }

  /** Deletes pictures that were fetched before the operator turned them off. */
  async start(): Promise<void> {
    if (this.deps.outbound !== undefined || (await this.#records.count()) === 0) return;
    for (const { id, pictureVersion } of await this.deps.users.everybody())
      if (pictureVersion !== null) await this.deps.users.change(id, { pictureVersion: null });
    // Who has removed a picture does not want it later either.
    await this.#records.deleteMany({ removed: false });
  }

  /** Fetches what a provider names as the picture of a user, if it is new; nobody waits for it. */
  follow(userId: string, source: PictureSource): void {
    const { outbound } = this.deps;
    if (outbound === undefined || this.#running.has(userId) || this.#running.size >= MOST_AT_ONCE) return;
    const work = this.#update(userId, source, outbound)
      .catch((error: unknown) => {
        if (!isExpected(error)) throw error;
        this.deps.log.info({ user: userId, reason: error.message }, 'the picture of a user was not fetched');
      })
      .catch((error: unknown) => this.deps.log.warn({ err: error, user: userId }, 'a picture was not stored'))
      .finally(() => this.#running.delete(userId));
    this.#running.set(userId, work);
  }

  /** Resolves when nothing is being fetched. */
  async settled(): Promise<void> {
    await Promise.all(this.#running.values());
  }

  async get(userId: string): Promise<Picture | undefined> {
    const found = await this.#records.get(userId);
    if (this.deps.outbound === undefined || found === undefined || found.mediaType === null) return undefined;
    return { mediaType: found.mediaType, version: found.version, bytes: Buffer.from(found.data, 'base64') };
  }

  /** Whether the user wants the picture of a provider. */
  async isWanted(userId: string): Promise<boolean> {
    return (await this.#records.get(userId))?.removed !== true;
  }

  /** Removes the picture and fetches none any more; or lets the next login bring it. */
  async want(userId: string, isWanted: boolean): Promise<void> {
    if (isWanted) {
      await this.#records.delete(userId, { removed: true });
      return;
    }
    const fetchedAtMs = this.deps.clock.now().getTime();
    await this.#records.put({ ...nothing, id: userId, issuer: '', address: '', fetchedAtMs, removed: true });
    await this.deps.users.change(userId, { pictureVersion: null });
  }

  async #update(userId: string, { issuer, from }: PictureSource, outbound: Pick<Outbound, 'call'>): Promise<void> {
    const known = await this.#records.get(userId);
    if (known?.removed === true) return;
    if (from === undefined) {
      // A picture of another provider stays.
      if (known?.issuer === issuer && (await this.#records.delete(userId, { removed: false })))
        await this.deps.users.change(userId, { pictureVersion: null });
      return;
    }
    const now = this.deps.clock.now().getTime();
    const address = digest(from);
    if (known?.address === address && now - known.fetchedAtMs < KEEP_MS) return;
    const bytes = typeof from === 'string' ? await fetched(outbound, from) : from;
    if (bytes.length > LARGEST_PICTURE) throw new PictureRefused(`it has more than ${LARGEST_PICTURE} bytes`);
    const content = { mediaType: pictureTypeOf(bytes), data: Buffer.from(bytes).toString('base64') };
    await this.#save(userId, { ...content, version: digest(bytes), issuer, address, fetchedAtMs: now, removed: false });
  }

  /** A user who removes the picture meanwhile, or is deleted, keeps none. */
  async #save(id: string, picture: Omit<PictureRecord, 'id'>): Promise<void> {
    const replaced = await this.#records.update(id, { set: picture }, { removed: false });
    if (replaced === undefined)
      try {
        await this.#records.insert({ id, ...picture });
      } catch (error) {
        if (isDuplicateRecord(error)) return;
        throw error;
      }
    const user = await this.deps.users.byId(id);
    if (user === undefined) await this.#records.delete(id);
    else if (user.pictureVersion !== picture.version)
      await this.deps.users.change(id, { pictureVersion: picture.version });
  }
}

const nothing = { mediaType: null, data: '', version: '' } as const;

function digest(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 22);
}

/** A provider's fault, or the network's. */
function isExpected(error: unknown): error is Error {
  return error instanceof PictureRefused || error instanceof OperationalError || isQuireError(error);
}

async function fetched(outbound: Pick<Outbound, 'call'>, url: string): Promise<Uint8Array> {
  const { status, body } = await outbound.call({
    url,
    field: 'picture',
    // Users choose the address: nothing inner, unless the operator has opened it (`outbound.allowed`).
    reach: 'public',
    headers: { accept: 'image/png,image/jpeg,image/webp,image/gif' },
    limits: { timeoutMs: TIMEOUT_MS, maxBytes: LARGEST_PICTURE, redirects: REDIRECTS },
  });
  if (status !== 200) throw new PictureRefused(`the answer is ${status}`);
  return body;
}
