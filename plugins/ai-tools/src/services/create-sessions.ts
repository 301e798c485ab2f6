import { randomUUID } from 'node:crypto';
import {
  type Clock,
  InputError,
  type Logger,
  type PluginRecords,
  type PluginStore,
  type Principal,
  token,
} from '@quire/registry';
import { filledLength, type SessionContent, type SessionSummary, summaryOf } from '../functions/create/session.js';

/** A session as it is kept: what lists show. What it holds lies apart, since it may be large. */
export interface SessionRecord extends SessionSummary {
  readonly id: string;
  readonly owner: string;
  readonly ownerName: string;
  /** Counts changes: a change is kept only on top of the one that it was made from. */
  readonly revision: number;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly contentId: string;
  /** Characters of the content. */
  readonly characters: number;
}

/** Content of a session after one of its changes. */
export interface ContentRecord {
  readonly id: string;
  readonly session: string;
  /** `SessionContent` as JSON. */
  readonly content: string;
}

/** A session with what it holds. */
export interface CreateSession extends Pick<
  SessionRecord,
  'id' | 'revision' | 'createdAt' | 'updatedAt' | 'contentId'
> {
  readonly content: SessionContent;
}

/** Token of the document sessions. */
export const createSessions = token<CreateSessions>('ai-tools.createSessions');

/** Sessions of one user; the least recently changed one is removed for a new one. */
const MOST_SESSIONS = 200;
/** Characters of what one session holds, as JSON, and of its document with the fields filled in. */
const MOST_CONTENT = 4 * 1024 * 1024;
/** Characters of all sessions of one user. */
const MOST_OF_USER = 50_000_000;
/** Looks at a session that others change all the time. */
const TRIES = 5;

/**
 * Keeps the document sessions of users, each user's apart. Every method may reject with STORE_DOWN and STORAGE_FULL.
 */
export class CreateSessions {
  readonly #records: PluginRecords<SessionRecord>;
  readonly #contents: PluginRecords<ContentRecord>;

  constructor(private readonly parts: { readonly store: PluginStore; readonly clock: Clock; readonly log: Logger }) {
    this.#records = parts.store.records<SessionRecord>('sessions', { keys: ['owner', 'ownerName'] });
    this.#contents = parts.store.records<ContentRecord>('session_contents', { keys: ['session'] });
  }

  async begin({ id: owner, name }: Principal, content: SessionContent): Promise<CreateSession> {
    const now = this.parts.clock.now().toISOString();
    const id = randomUUID();
    const kept = await this.#keep(id, content);
    const record = await this.#records.insert({
      id,
      owner,
      ownerName: name,
      revision: 1,
      createdAt: now,
      updatedAt: now,
      ...kept,
    });
    await this.#makeRoom(owner);
    return { ...record, content };
  }

  /** Those of a user, the last changed first. */
  list({ id: owner }: Principal): Promise<SessionRecord[]> {
    return this.#records.find({ owner }, { sort: [{ field: 'updatedAt', order: 'descending' }], limit: MOST_SESSIONS });
  }

  /** Throws NOT_FOUND; somebody else's is as one that is not there. */
  async read(principal: Principal, id: string): Promise<CreateSession> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const record = await this.#own(principal, id);
      const kept = await this.#contents.get(record.contentId);
      // Gone, where another change was kept between the two looks.
      if (kept !== undefined) return { ...record, content: JSON.parse(kept.content) as SessionContent };
    }
    throw new InputError('NOT_FOUND');
  }

  /**
   * Stores the result of `change`. Throws NOT_FOUND, and STORAGE_CONFLICT if another change was stored meanwhile;
   * rejects like `change`.
   */
  async change(
    principal: Principal,
    id: string,
    change: (content: SessionContent) => Promise<SessionContent>,
  ): Promise<CreateSession> {
    const before = await this.read(principal, id);
    const content = await change(before.content);
    const kept = await this.#keep(id, content);
    const after = await this.#records.update(
      id,
      { set: { ...kept, updatedAt: this.parts.clock.now().toISOString() }, inc: { revision: 1 } },
      { owner: principal.id, revision: before.revision },
    );
    if (after === undefined) {
      await this.#contents.delete(kept.contentId);
      await this.#own(principal, id);
      throw new InputError('STORAGE_CONFLICT', {
        detail: 'The session was changed by another call while this one was at work; nothing of this one was kept',
      });
    }
    await this.#contents.delete(before.contentId);
    await this.#makeRoom(principal.id);
    return { ...after, content };
  }

  /** Throws NOT_FOUND. */
  async remove(principal: Principal, id: string): Promise<void> {
    if (!(await this.#remove(id, { owner: principal.id }))) throw new InputError('NOT_FOUND');
  }

  /** Sessions of an account that is gone go, too. Never rejects. */
  async nameFreed(name: string, now: string | undefined): Promise<void> {
    try {
      for (const { id } of await this.#records.find({ ownerName: name }))
        await (now === undefined
          ? this.#remove(id, { ownerName: name })
          : this.#records.update(id, { set: { ownerName: now } }));
    } catch (error) {
      this.parts.log.error({ err: error }, 'document sessions of an account could not be changed with it');
    }
  }

  async #own({ id: owner }: Principal, id: string): Promise<SessionRecord> {
    const record = await this.#records.get(id);
    if (record === undefined || record.owner !== owner) throw new InputError('NOT_FOUND');
    return record;
  }

  /** Writes what a session is to hold beside what it holds. Throws INPUT_TOO_LARGE. */
  async #keep(
    session: string,
    content: SessionContent,
  ): Promise<SessionSummary & Pick<SessionRecord, 'contentId' | 'characters'>> {
    const text = JSON.stringify(content);
    // A field with a long value may occur many times in a document.
    if (text.length > MOST_CONTENT || filledLength(content) > MOST_CONTENT)
      throw new InputError('INPUT_TOO_LARGE', { limit: MOST_CONTENT });
    const contentId = randomUUID();
    await this.#contents.insert({ id: contentId, session, content: text });
    return { ...summaryOf(content), contentId, characters: text.length };
  }

  /** Removes what is beyond the bounds of a user, but never the session that was changed last. */
  async #makeRoom(owner: string): Promise<void> {
    let characters = 0;
    for (const [i, session] of (
      await this.#records.find({ owner }, { sort: [{ field: 'updatedAt', order: 'descending' }] })
    ).entries()) {
      characters += session.characters;
      if (i > 0 && (i >= MOST_SESSIONS || characters > MOST_OF_USER))
        await this.#remove(session.id, { revision: session.revision });
    }
  }

  async #remove(id: string, when: Partial<Pick<SessionRecord, 'owner' | 'ownerName' | 'revision'>>): Promise<boolean> {
    if (!(await this.#records.delete(id, when))) return false;
    await this.#contents.deleteMany({ session: id });
    return true;
  }
}
