import { randomUUID } from 'node:crypto';
import { type Clock, InputError, type Logger, type PluginRecords, type PluginStore, type Principal, token } from '@quire/registry';
import type { SessionContent } from '../functions/create/session.js';

/** A session as it is kept. */
export interface SessionRecord {
  readonly id: string;
  readonly owner: string;
  readonly ownerName: string;
  /** Counts changes: a change is kept only on top of the one that it was made from. */
  readonly revision: number;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly updatedAt: string;
  /** `SessionContent` as JSON. */
  readonly content: string;
}

/** A session with what it holds. */
export interface CreateSession extends Pick<SessionRecord, 'id' | 'revision' | 'createdAt' | 'updatedAt'> {
  readonly content: SessionContent;
}

/** Token of the document sessions. */
export const createSessions = token<CreateSessions>('ai-tools.createSessions');

/** Sessions of one user; the one that was not changed for longest makes room. */
const MOST_SESSIONS = 200;
/** Characters of what one session holds, as JSON. */
const MOST_CONTENT = 4 * 1024 * 1024;

/** Keeps the document sessions of users, each user's apart. Every method may reject with STORE_DOWN and STORAGE_FULL. */
export class CreateSessions {
  readonly #records: PluginRecords<SessionRecord>;

  constructor(private readonly parts: { readonly store: PluginStore; readonly clock: Clock; readonly log: Logger }) {
    this.#records = parts.store.records<SessionRecord>('sessions', { keys: ['owner', 'ownerName'] });
  }

  async begin({ id: owner, name }: Principal, content: SessionContent): Promise<CreateSession> {
    const now = this.parts.clock.now().toISOString();
    const record = await this.#records.insert({ id: randomUUID(), owner, ownerName: name, revision: 1, createdAt: now, updatedAt: now, content: written(content) });
    const old = await this.#records.find({ owner }, { sort: [{ field: 'updatedAt', order: 'descending' }], skip: MOST_SESSIONS });
    for (const { id } of old) await this.#records.delete(id);
    return read(record);
  }

  /** Those of a user, the last changed first. */
  async list({ id: owner }: Principal): Promise<CreateSession[]> {
    return (await this.#records.find({ owner }, { sort: [{ field: 'updatedAt', order: 'descending' }], limit: MOST_SESSIONS })).map(read);
  }

  /** Throws NOT_FOUND; somebody else's is as one that is not there. */
  async read(principal: Principal, id: string): Promise<CreateSession> {
    return read(await this.#own(principal, id));
  }

  /** Keeps what `change` makes of the session. Throws NOT_FOUND, and STORAGE_CONFLICT when another change was kept meanwhile; rejects with what `change` rejects with. */
  async change(principal: Principal, id: string, change: (content: SessionContent) => Promise<SessionContent>): Promise<CreateSession> {
    const before = await this.#own(principal, id);
    const content = written(await change(read(before).content));
    const after = await this.#records.update(id, { set: { content, updatedAt: this.parts.clock.now().toISOString() }, inc: { revision: 1 } }, { owner: principal.id, revision: before.revision });
    if (after === undefined) {
      await this.#own(principal, id);
      throw new InputError('STORAGE_CONFLICT', { detail: 'The session was changed by another call while this one was at work; nothing of this one was kept' });
    }
    return read(after);
  }

  /** Throws NOT_FOUND. */
  async remove(principal: Principal, id: string): Promise<void> {
    if (!(await this.#records.delete(id, { owner: principal.id }))) throw new InputError('NOT_FOUND');
  }

  /** Sessions of an account that is gone go, too. Never rejects. */
  async nameFreed(name: string, now: string | undefined): Promise<void> {
    try {
      if (now === undefined) await this.#records.deleteMany({ ownerName: name });
      else for (const { id } of await this.#records.find({ ownerName: name })) await this.#records.update(id, { set: { ownerName: now } });
    } catch (error) {
      this.parts.log.error({ err: error }, 'document sessions of an account could not be changed with it');
    }
  }

  async #own({ id: owner }: Principal, id: string): Promise<SessionRecord> {
    const record = await this.#records.get(id);
    if (record === undefined || record.owner !== owner) throw new InputError('NOT_FOUND');
    return record;
  }
}

function written(content: SessionContent): string {
  const text = JSON.stringify(content);
  if (text.length > MOST_CONTENT) throw new InputError('INPUT_TOO_LARGE', { limit: MOST_CONTENT });
  return text;
}

function read({ id, revision, createdAt, updatedAt, content }: SessionRecord): CreateSession {
  return { id, revision, createdAt, updatedAt, content: JSON.parse(content) as SessionContent };
}
