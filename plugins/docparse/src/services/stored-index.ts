import { createHash, randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import {
  DefectError,
  type Clock,
  type DocumentIndex,
  type IndexCaller,
  type IndexDocument,
  type IndexHit,
  type IndexQuery,
  InputError,
  isDuplicateRecord,
  isQuireError,
  type Logger,
  type PluginRecords,
  type PluginStore,
  type TextEmbeddings,
} from '@quire/registry';
import { chunkOfLine, type IndexedChunk, type IndexedDocument, type IndexSheet } from './index-records.js';
import { linesOf } from './lines-of-file.js';
import { nearness, packVectors, type VectorSheet } from './kept-vectors.js';
import { Best, fused, WordRanking } from './passage-ranking.js';

/** Default limit for all documents of one caller, in characters. */
const MOST_CHARACTERS = 20_000_000;
/** Documents of one caller. */
const MOST_DOCUMENTS = 10_000;
/** A sheet is full with so many characters: one is read and ranked at a time, and nothing else runs meanwhile. */
const SHEET = 65_536;
/** Chunks of one sheet: empty ones count as one character. */
const MOST_CHUNKS = 2 ** 17;
/** Passages that each ranking contributes for one requested passage, before the rankings are merged. */
const MORE = 4;
const LEAST_RANKED = 100;

export interface StoredIndexDeps {
  readonly store: PluginStore;
  readonly clock: Clock;
  readonly log: Logger;
  readonly embeddings: TextEmbeddings;
  /** Most characters of all documents of one caller; 20 million by default. */
  readonly most?: number;
}

/** A sheet that was looked at. */
interface Sheet {
  readonly document: IndexedDocument;
  readonly number: number;
  /** Of its first chunk, in the document. */
  readonly first: number;
}

/**
 * Keeps texts of documents in the server's own store, each caller's apart, and ranks them by their words (BM25) and,
 * where an embedding model is set up, by what they mean.
 */
export class StoredIndex implements DocumentIndex {
  readonly #documents: PluginRecords<IndexedDocument>;
  readonly #sheets: PluginRecords<IndexSheet>;
  readonly #vectors: PluginRecords<VectorSheet>;
  readonly #most: number;

  constructor(private readonly deps: StoredIndexDeps) {
    this.#most = deps.most ?? MOST_CHARACTERS;
    this.#documents = deps.store.records<IndexedDocument>('documents', { keys: ['owner', 'ownerName'] });
    this.#sheets = deps.store.records<IndexSheet>('sheets', { keys: ['version'] });
    this.#vectors = deps.store.records<VectorSheet>('vectors', { keys: ['version'] });
  }

  /**
   * The new text is written beside the old one, then takes its place; what a stopped server left half written goes with
   * the next text of that document.
   */
  async replace(
    { documentId, name }: IndexDocument,
    chunks: string,
    caller: IndexCaller = nobody,
    signal?: AbortSignal,
  ): Promise<number> {
    const [id, version] = [idOf(caller, documentId), randomUUID()];
    const others = (await this.#documents.find({ owner: caller.id })).filter((other) => other.id !== id);
    if (others.length >= MOST_DOCUMENTS)
      throw new InputError('INDEX_FULL', {
        found: `text of ${others.length + 1} documents and so many`,
        limit: `${MOST_DOCUMENTS} documents or ${this.#most}`,
      });
    const room = this.#most - others.reduce((sum, { characters }) => sum + characters, 0);
    const start: IndexedDocument = {
      id,
      owner: caller.id,
      ownerName: caller.name,
      documentId,
      name,
      version: '',
      next: '',
      chunks: 0,
      characters: 0,
      time: this.deps.clock.now().toISOString(),
    };
    const before = await this.#begin({ ...start, next: version });
    try {
      const written = await this.#write(chunks, version, room, caller, signal);
      const { next: _next, id: _id, ...now } = { ...start, version, ...written };
      // Whoever began later replaces this one, too.
      const done = await this.#documents.update(id, { set: { ...now, next: '' } }, { next: version });
      await this.#drop(done === undefined ? version : (before?.version ?? ''));
      return written.chunks;
    } catch (error) {
      await this.#drop(version).catch(() => undefined);
      if (before === undefined) await this.#documents.delete(id, { next: version, version: '' }).catch(() => false);
      else await this.#documents.update(id, { set: { next: '' } }, { next: version }).catch(() => undefined);
      throw error;
    }
  }

  /**
   * Notes that a version is being written, and drops one that was; gives the document as it was. Until that version is
   * done or given up, nobody else changes which one is read.
   */
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
      } else if (
        (await this.#documents.update(
          start.id,
          { set: { next: start.next } },
          { next: before.next, version: before.version },
        )) !== undefined
      ) {
        await this.#drop(before.next);
        return before;
      }
    }
  }

  async #write(
    path: string,
    version: string,
    room: number,
    caller: IndexCaller,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly chunks: number; readonly characters: number }> {
    let [count, characters, number, filled] = [0, 0, 0, 0];
    let sheet: IndexedChunk[] = [];
    let embeds = this.deps.embeddings.model !== undefined;
    const flush = async (): Promise<void> => {
      if (sheet.length > 0) {
        await this.#sheets.insert({ id: `${version}-${number}`, version, number, chunks: JSON.stringify(sheet) });
        embeds &&= await this.#embed(sheet, version, number, caller, signal);
        number++;
      }
      [sheet, filled] = [[], 0];
    };
    for await (const line of linesOf(path)) {
      signal?.throwIfAborted();
      if (line === '') continue;
      const chunk = chunkOfLine(line);
      if (chunk === undefined)
        throw new DefectError('CONTRACT_BROKEN', { detail: 'a line of the chunks to index is invalid' });
      // Headings are kept with every chunk.
      const length = Math.max(
        1,
        chunk.headingPath.reduce((sum, title) => sum + title.length, chunk.text.length),
      );
      characters += length;
      if (characters > room)
        throw new InputError('INDEX_FULL', { found: this.#most - room + characters, limit: this.#most });
      if (filled + length > SHEET) await flush();
      sheet.push(chunk);
      filled += length;
      count++;
    }
    await flush();
    return { chunks: count, characters };
  }

  /**
   * Keeps what the chunks of a sheet mean. False when the model gives nothing: then they are found by their words
   * alone, as are the rest of this document.
   */
  async #embed(
    sheet: readonly IndexedChunk[],
    version: string,
    number: number,
    caller: IndexCaller,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    const { embeddings, log } = this.deps;
    const { model } = embeddings;
    if (model === undefined) return false;
    let vectors: readonly Float32Array[];
    try {
      vectors = await embeddings.embed(sheet.map(textOf), signal, caller);
    } catch (error) {
      if (signal?.aborted === true || !isQuireError(error)) throw error;
      log.warn({ err: error }, 'a text is indexed by its words alone');
      return false;
    }
    await this.#vectors.insert({ id: `${version}-${number}`, version, model, ...packVectors(vectors) });
    return true;
  }

  /** Sheets are read one by one and nothing of them is kept but numbers. */
  async search(
    { query, topK, documentId }: IndexQuery,
    caller: IndexCaller = nobody,
    signal?: AbortSignal,
  ): Promise<readonly IndexHit[]> {
    const words = new WordRanking(query);
    const meant = await this.#meant(query, caller, signal);
    if (!words.asks && meant === undefined) return [];
    const documents = await this.#documents.find(
      { owner: caller.id, ...(documentId === undefined ? {} : { documentId }) },
      { sort: [{ field: 'documentId', order: 'ascending' }] },
    );
    const ranked = Math.max(LEAST_RANKED, topK * MORE);
    const near = new Best<number>(ranked);
    const sheets: Sheet[] = [];
    for (const document of documents) {
      let first = 0;
      for (let number = 0; document.version !== ''; number++) {
        signal?.throwIfAborted();
        const chunks = await this.#chunks(document.version, number);
        if (chunks === undefined) break;
        const from = sheets.push({ document, number, first }) * MOST_CHUNKS;
        for (const [at, chunk] of chunks.entries()) words.show(textOf(chunk), from + at);
        if (meant !== undefined)
          for (const [at, score] of (await this.#near(document.version, number, meant)).entries())
            near.offer(from + at, score);
        first += chunks.length;
        await setImmediate();
      }
    }
    const best = meant === undefined ? words.best(topK) : fused([words.best(ranked), near.all], topK);
    const hits: IndexHit[] = [];
    for (const { of: id, score } of best) {
      const [{ document, number, first }, at] = [sheets[Math.floor(id / MOST_CHUNKS) - 1]!, id % MOST_CHUNKS];
      // A document that was replaced meanwhile is no longer what was found.
      const chunk = (await this.#chunks(document.version, number))?.[at];
      if (chunk !== undefined)
        hits.push({
          documentId: document.documentId,
          documentName: document.name,
          index: first + at,
          ...chunk,
          score: Math.round(score * 10_000) / 10_000,
        });
    }
    return hits;
  }

  async #chunks(version: string, sheet: number): Promise<readonly IndexedChunk[] | undefined> {
    const found = await this.#sheets.get(`${version}-${sheet}`);
    return found === undefined ? undefined : (JSON.parse(found.chunks) as IndexedChunk[]);
  }

  /** Returns the vector of a query; undefined without a model or if it fails: then words alone count. */
  async #meant(
    query: string,
    caller: IndexCaller,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly model: string; readonly vector: Float32Array } | undefined> {
    const { embeddings, log } = this.deps;
    const { model } = embeddings;
    if (model === undefined || query.trim() === '') return undefined;
    try {
      const [vector] = await embeddings.embed([query], signal, caller);
      return vector === undefined ? undefined : { model, vector };
    } catch (error) {
      if (signal?.aborted === true || !isQuireError(error)) throw error;
      log.warn({ err: error }, 'texts are searched by their words alone');
      return undefined;
    }
  }

  /** How near the chunks of a sheet are to what is meant; none where they have no vectors of this model. */
  async #near(
    version: string,
    sheet: number,
    { model, vector }: { readonly model: string; readonly vector: Float32Array },
  ): Promise<readonly number[]> {
    const kept = await this.#vectors.get(`${version}-${sheet}`);
    return kept === undefined || kept.model !== model ? [] : nearness(kept, vector);
  }

  /** Deletes the text of a version. */
  async #drop(version: string): Promise<void> {
    if (version === '') return;
    await this.#sheets.deleteMany({ version });
    await this.#vectors.deleteMany({ version });
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
      this.deps.log.error({ err: error }, 'indexed texts of an account could not be changed with it');
    }
  }

  async #remove(document: IndexedDocument | undefined): Promise<boolean> {
    if (document === undefined || !(await this.#documents.delete(document.id))) return false;
    for (const version of [document.version, document.next]) await this.#drop(version);
    return document.version !== '';
  }
}

/** Returns the searchable text of a chunk: headings count as words of the text below them. */
function textOf({ headingPath, text }: IndexedChunk): string {
  return `${headingPath.join('\n')}\n${text}`;
}

/** Everybody while login is off. */
const nobody: IndexCaller = { id: '', name: 'anonymous' };

function idOf({ id }: IndexCaller, documentId: string): string {
  return createHash('sha256')
    .update(JSON.stringify([id, documentId]))
    .digest('hex');
}
