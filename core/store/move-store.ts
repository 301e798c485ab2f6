import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { mapAtOnce } from '../semaphore/index.js';
import { openEmbeddedBlobs } from './embedded-blobs.js';
import { openEmbeddedDatabase, type SqlDatabase } from './embedded-database.js';
import { openEmbeddedRecords } from './embedded-records.js';
import type { Blobs } from './blobs.js';
import type { Identified, Records, RecordsOptions } from './records.js';
import type { Store } from './store.js';
import { checkStoreVersion, storeFacts, type StoreFact } from './store-version.js';

/** The outcome for one record set, one area of blobs, or the files beside the store. */
export interface MovedPart {
  readonly what: 'records' | 'blobs' | 'files';
  readonly name: string;
  /** How many the embedded store has; the other one has as many afterwards. */
  readonly total: number;
  /** Written now; the others were there already. */
  readonly written: number;
  /** Taken away in the other store, because the embedded one has them no more. */
  readonly removed: number;
  readonly bytes: number;
  /** SHA-256 over all of it in the order of the ids, base64url: the same on both sides. */
  readonly digest: string;
}

/**
 * Record sets that a store makes for itself again: its facts, the rows of the queue, which follow from the jobs, and
 * the files that only a shared store has.
 */
const ownSets: ReadonlySet<string> = new Set(['store_facts', 'agenda', 'shared_files']);
const PAGE = 500;
const AT_ONCE = 8;

/** An embedded store that is to be moved, held so that no server works on it meanwhile. */
export interface MoveSource {
  /**
   * Makes another store the image of this one: every record and every blob under its id, and nothing else in those sets
   * and areas. What is there already is compared and not written again, so a move that broke off is ended by the next.
   * Everything is read back from the other store and compared. Rejects with an Error naming what differs after all, and
   * STORE_DOWN.
   */
  moveTo(target: Pick<Store, 'records' | 'blobs'>, moved?: (part: MovedPart) => void): Promise<readonly MovedPart[]>;
  /** A fact of this store. Facts are not moved by themselves: most describe the store that they are in. */
  fact(id: string): Promise<StoreFact | undefined>;
  close(): void;
}

/** Blobs of areas that an embedded store keeps in separate folders. */
export type BesideStore = Readonly<Record<string, Blobs>>;

/**
 * Opens the embedded store in a folder, and what lies `beside` it. Throws SETTINGS_INVALID while a server has it, or
 * when its data has another form than that of this product version.
 */
export async function openMoveSource(folder: string, version: string, beside: BesideStore = {}): Promise<MoveSource> {
  const { database, turns, close } = await openEmbeddedDatabase(folder);
  const store: Pick<Store, 'records' | 'kind'> = {
    kind: 'embedded',
    records: (name, options) => openEmbeddedRecords({ database, turns }, name, options),
  };
  try {
    await checkStoreVersion(store, { where: folder, by: version, now: new Date() });
  } catch (error) {
    close();
    throw error;
  }
  return {
    close,
    fact: (id) => storeFacts(store).get(id),
    async moveTo(target, moved = () => undefined) {
      const parts: MovedPart[] = [];
      const note = (part: MovedPart): void => {
        parts.push(part);
        moved(part);
      };
      // Blobs first: a record never names one that is not there.
      const areas = new Set([
        ...(await areasOf(join(folder, 'blobs'))).filter((name) => name !== 'shared'),
        ...Object.keys(beside),
      ]);
      for (const area of areas)
        note(
          await moveBlobs(
            area,
            joined(openEmbeddedBlobs(join(folder, 'blobs'), area), beside[area]),
            target.blobs.area(area),
          ),
        );
      for (const name of setsOf(database))
        note(
          await moveRecords(
            name,
            openEmbeddedRecords<Identified>({ database, turns }, name),
            target.records<Identified>(name, optionsOf(database, name)),
          ),
        );
      return parts;
    },
  };
}

function setsOf(database: SqlDatabase): string[] {
  const tables = database
    .prepare("SELECT name FROM sqlite_master WHERE type='table' AND substr(name,1,2)='r_' ORDER BY name")
    .all([]);
  return tables.map((row) => String(row['name']).slice(2)).filter((name) => !ownSets.has(name));
}

/** How a set was opened last, according to its indexes: the other store must refuse the same conflicts. */
function optionsOf(database: SqlDatabase, name: string): RecordsOptions {
  const indexes = database
    .prepare("SELECT name FROM sqlite_master WHERE type='index' AND tbl_name=?")
    .all([`r_${name}`])
    .map((row) => String(row['name']));
  const fieldsOf = (index: string): string[] =>
    database
      .prepare(`PRAGMA index_info("${index}")`)
      .all([])
      .map((row) => String(row['name']).replace(/^k_/, ''));
  const of = (kind: string): string[][] =>
    indexes.filter((index) => index.startsWith(`${kind}_${name}_`)).map(fieldsOf);
  return { keys: of('i'), unique: of('u') };
}

async function areasOf(folder: string): Promise<string[]> {
  const found = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return found
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

async function moveRecords(name: string, from: Records<Identified>, to: Records<Identified>): Promise<MovedPart> {
  const hash = createHash('sha256');
  const ids = new Set<string>();
  let [written, bytes] = [0, 0];
  for await (const page of pages(from)) {
    await mapAtOnce(page, AT_ONCE, async (record) => {
      if (isDeepStrictEqual(plain(await to.get(record.id)), plain(record))) return;
      await to.put(record);
      written += 1;
      if (!isDeepStrictEqual(plain(await to.get(record.id)), plain(record)))
        throw new Error(`record ${record.id} of ${name} is not in MongoDB what it was`);
    });
    for (const record of page) {
      const text = JSON.stringify(record);
      hash.update(text).update('\n');
      bytes += Buffer.byteLength(text);
      ids.add(record.id);
    }
  }
  const extra: string[] = [];
  for await (const page of pages(to)) extra.push(...page.map(({ id }) => id).filter((id) => !ids.has(id)));
  await mapAtOnce(extra, AT_ONCE, (id) => to.delete(id));
  const total = await to.count();
  if (total !== ids.size) throw new Error(`${name} has ${total} records in MongoDB instead of ${ids.size}`);
  return { what: 'records', name, total, written, removed: extra.length, bytes, digest: hash.digest('base64url') };
}

async function* pages(records: Records<Identified>): AsyncIterable<Identified[]> {
  for (let skip = 0; ; skip += PAGE) {
    const page = await records.find({}, { sort: [{ field: 'id', order: 'ascending' }], skip, limit: PAGE });
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
  }
}

/** Blobs of two places that go into one; ids are random, so none is in both. */
function joined(first: Blobs, second: Blobs | undefined): Pick<Blobs, 'get' | 'list'> {
  if (second === undefined) return first;
  return {
    get: async (id) => (await first.get(id)) ?? second.get(id),
    async *list() {
      yield* first.list();
      yield* second.list();
    },
  };
}

async function moveBlobs(name: string, from: Pick<Blobs, 'get' | 'list'>, to: Blobs): Promise<MovedPart> {
  const ids: string[] = [];
  for await (const { id } of from.list()) ids.push(id);
  ids.sort();
  const hash = createHash('sha256');
  let [written, bytes] = [0, 0];
  for (const id of ids) {
    const wanted = await digestOf(from, id);
    if (wanted === undefined) throw new Error(`blob ${id} of ${name} is gone from the embedded store`);
    if ((await digestOf(to, id)) !== wanted) {
      const blob = await from.get(id);
      if (blob === undefined) throw new Error(`blob ${id} of ${name} is gone from the embedded store`);
      // Of a move that broke off there may be pieces.
      await to.delete(id);
      await to.put(blob.stream, id);
      written += 1;
      if ((await digestOf(to, id)) !== wanted) throw new Error(`blob ${id} of ${name} is not in MongoDB what it was`);
    }
    hash.update(`${id} ${wanted}\n`);
    bytes += Number(wanted.split(' ')[1]);
  }
  const wantedIds = new Set(ids);
  const extra: string[] = [];
  for await (const { id } of to.list()) if (!wantedIds.has(id)) extra.push(id);
  for (const id of extra) await to.delete(id);
  return {
    what: 'blobs',
    name,
    total: ids.length,
    written,
    removed: extra.length,
    bytes,
    digest: hash.digest('base64url'),
  };
}

/** SHA-256 and size of a blob as it is read from its store. */
async function digestOf(blobs: Pick<Blobs, 'get'>, id: string): Promise<string | undefined> {
  const blob = await blobs.get(id);
  if (blob === undefined) return undefined;
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of blob.stream as Readable & AsyncIterable<Buffer>) {
    hash.update(chunk);
    size += chunk.length;
  }
  return `${hash.digest('base64url')} ${size}`;
}

/** Without regard to the order of members. */
function plain(record: Identified | undefined): unknown {
  return record === undefined ? undefined : JSON.parse(JSON.stringify(record));
}
