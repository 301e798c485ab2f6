import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { setImmediate } from 'node:timers/promises';
import { DefectError, type Clock, type DocumentIndex, type IndexCaller, type IndexDocument, type IndexHit, type IndexQuery, InputError, isDuplicateRecord, type Logger, type PluginRecords, type PluginStore } from '@quire/registry';
import { chunkOfLine, type IndexedChunk, type IndexedDocument, type IndexSheet } from './index-records.js';
import { PassageRanking } from './passage-ranking.js';

/** Characters of all documents of one caller, unless it is told otherwise. */
const MOST_CHARACTERS = 20_000_000;
/** Documents of one caller. */
const MOST_DOCUMENTS = 10_000;
/** A sheet is full with so many characters: one is read and ranked at a time, and nothing else runs meanwhile. */
const SHEET = 65_536;

/** What the index stands on. */
export interface StoredIndexParts {
  readonly store: PluginStore;
  readonly clock: Clock;
  readonly log: Logger;
  /** Most characters of all documents of one caller; 20 million by default. */
  readonly most?: number;
}

/** Keeps texts of documents in the server's own store, each caller's apart, and ranks them by their words (BM25). */
export class StoredIndex implements DocumentIndex {
  readonly #documents: PluginRecords<IndexedDocument>;
  readonly #sheets: PluginRecords<IndexSheet>;
  readonly #most: number;

  constructor(private readonly parts: StoredIndexParts) {
    this.#most = parts.most ?? MOST_CHARACTERS;
    this.#documents = parts.store.records<IndexedDocument>('documents', { keys: ['owner', 'ownerName'] });
    this.#sheets = parts.store.records<IndexSheet>('sheets', { keys: ['version'] });
  }

  /** The new text is written beside the old one, then takes its place; what a stopped server left half written goes with the next text of that document. */
  async replace({ documentId, name }: IndexDocument, chunks: string, caller: IndexCaller = nobody, signal?: AbortSignal): Promise<number> {
    const [id, version] = [idOf(caller, documentId), randomUUID()];
    const others = (await this.#documents.find({ owner: caller.id })).filter((other) => other.id !== id);
    if (others.length >= MOST_DOCUMENTS) throw new InputError('INDEX_FULL', { found: `text of ${others.length + 1} documents and so many`, limit: `${MOST_DOCUMENTS} documents or ${this.#most}` });
    const room = this.#most - others.reduce((sum, { characters }) => sum + characters, 0);
    const start: IndexedDocument = { id, owner: caller.id, ownerName: caller.name, documentId, name, version: '', next: '', chunks: 0, characters: 0, time: this.parts.clock.now().toISOString() };
    const before = await this.#begin({ ...start, next: version });
    try {
      const written = await this.#write(chunks, version, room, signal);
      const { next: _next, id: _id, ...now } = { ...start, version, ...written };
      // Whoever began later replaces this one, too.
      const done = await this.#documents.update(id, { set: { ...now, next: '' } }, { next: version });
      await this.#sheets.deleteMany({ version: done === undefined ? version : (before?.version ?? '') });
      return written.chunks;
    } catch (error) {
      await this.#sheets.deleteMany({ version }).catch(() => 0);
      if (before === undefined) await this.#documents.delete(id, { next: version, version: '' }).catch(() => false);
      else await this.#documents.update(id, { set: { next: '' } }, { next: version }).catch(() => undefined);
      throw error;
    }
  }

  /** Notes that a version is being written, and drops one that was; gives the document as it was. Until that version is done or given up, nobody else changes which one is read. */
  async #begin(start: IndexedDocument): Promise<IndexedDocument | undefined> {
    for (;;) {
      const before = await this.#documents.get(start.id);
      if (before === undefined) {
        try {
          await this.#documents.insert(start);
          return undefined;
        } catch (error) {
          if (!isDuplicateRecord(error)) throw error;
        }
      } else if ((await this.#documents.update(start.id, { set: { next: start.next } }, { next: before.next, version: before.version })) !== undefined) {
        if (before.next !== '') await this.#sheets.deleteMany({ version: before.next });
        return before;
      }
    }
  }

  async #write(path: string, version: string, room: number, signal: AbortSignal | undefined): Promise<{ readonly chunks: number; readonly characters: number }> {
    let [count, characters, number, filled] = [0, 0, 0, 0];
    let sheet: IndexedChunk[] = [];
    const flush = async (): Promise<void> => {
      if (sheet.length > 0) await this.#sheets.insert({ id: `${version}-${number}`, version, number: number++, chunks: JSON.stringify(sheet) });
      [sheet, filled] = [[], 0];
    };
    for await (const line of createInterface({ input: createReadStream(path, { encoding: 'utf8' }), crlfDelay: Infinity })) {
      signal?.throwIfAborted();
      if (line === '') continue;
      const chunk = chunkOfLine(line);
      if (chunk === undefined) throw new DefectError('CONTRACT_BROKEN', { detail: 'a line of the chunks to index is none' });
      // Headings are kept with every chunk.
      const length = chunk.headingPath.reduce((sum, title) => sum + title.length, chunk.text.length);
      characters += length;
      if (characters > room) throw new InputError('INDEX_FULL', { found: this.#most - room + characters, limit: this.#most });
      if (filled + length > SHEET) await flush();
      sheet.push(chunk);
      filled += length;
      count++;
    }
    await flush();
    return { chunks: count, characters };
  }

  async search({ query, topK, documentId }: IndexQuery, caller: IndexCaller = nobody, signal?: AbortSignal): Promise<readonly IndexHit[]> {
    const ranking = new PassageRanking<Omit<IndexHit, 'score'>>(query);
    if (!ranking.asks) return [];
    const documents = await this.#documents.find({ owner: caller.id, ...(documentId === undefined ? {} : { documentId }) }, { sort: [{ field: 'documentId', order: 'ascending' }] });
    for (const { documentId: of, name, version } of documents) {
      if (version === '') continue;
      let index = 0;
      for (let number = 0; ; number++) {
        signal?.throwIfAborted();
        const sheet = await this.#sheets.get(`${version}-${number}`);
        if (sheet === undefined) break;
        for (const chunk of JSON.parse(sheet.chunks) as IndexedChunk[]) ranking.show(`${chunk.headingPath.join('\n')}\n${chunk.text}`, { documentId: of, documentName: name, index: index++, ...chunk });
        await setImmediate();
      }
    }
    return ranking.best(topK).map(({ of, score }) => ({ ...of, score: Math.round(score * 10_000) / 10_000 }));
  }

  async remove(documentId: string, caller: IndexCaller = nobody): Promise<boolean> {
    return this.#remove(await this.#documents.get(idOf(caller, documentId)));
  }

  /** Texts of an account that is gone go, too. Never rejects. */
  async nameFreed(name: string, now: string | undefined): Promise<void> {
    try {
      for (const document of await this.#documents.find({ ownerName: name })) {
        if (document.owner === '') continue;
        if (now === undefined) await this.#remove(document);
        else await this.#documents.update(document.id, { set: { ownerName: now } });
      }
    } catch (error) {
      this.parts.log.error({ err: error }, 'indexed texts of an account could not be changed with it');
    }
  }

  async #remove(document: IndexedDocument | undefined): Promise<boolean> {
    if (document === undefined || !(await this.#documents.delete(document.id))) return false;
    for (const version of [document.version, document.next]) if (version !== '') await this.#sheets.deleteMany({ version });
    return document.version !== '';
  }
}

/** Everybody while login is off. */
const nobody: IndexCaller = { id: '', name: 'anonymous' };

function idOf({ id }: IndexCaller, documentId: string): string {
  return createHash('sha256').update(JSON.stringify([id, documentId])).digest('hex');
}
