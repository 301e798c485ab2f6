import type { Document } from 'mongodb';
import type { MongoConnection } from './mongo-client.js';
import { isPassing } from './store-errors.js';

export type ChangeType = 'insert' | 'update' | 'replace' | 'delete';

/** The changes of one collection that are reported. */
export interface WatchedCollection {
  readonly collection: string;
  readonly types: readonly ChangeType[];
  /** If given, an update counts only when it sets one of these fields. */
  readonly fields?: readonly string[];
  /** Path in an inserted document whose value names it instead of its id. */
  readonly named?: string;
}

export interface StoreChange {
  readonly collection: string;
  /** Undefined where it is not a text. */
  readonly id: string | undefined;
}

/** The server has no change streams, or none that can be used: trying again soon has no point. */
export class ChangesRefused extends Error {}

/** A change stream. Each of its calls but `close` rejects when it has ended, or with `ChangesRefused`. */
export interface StoreChanges {
  /** Resolves when it reports everything from now on. */
  open(): Promise<void>;
  /** The next change, waited for a while; undefined if there was none. */
  next(): Promise<StoreChange | undefined>;
  /** Never rejects. */
  close(): Promise<void>;
}

/**
 * How long the server may keep a request for changes that has nothing to report, and how much later its answer may
 * come: after that the server hangs, ms.
 */
const WAITS = { awaitMs: 20_000, lateMs: 10_000 };
/**
 * So many answers in a row without a change, each in less than a tenth of the time and all within this time, mean that
 * the server does not wait: polls cost less.
 */
const HASTY_ANSWERS = 100;
const HASTY_MS = 5000;

/** Watches collections of the database through one change stream; only a replica set of MongoDB has them. */
export function openMongoChanges(
  { client, database }: MongoConnection,
  watched: readonly WatchedCollection[],
  { awaitMs, lateMs }: { readonly awaitMs: number; readonly lateMs: number } = WAITS,
): StoreChanges {
  // A connection whose own limit is shorter would be cut while it waits.
  const { socketTimeoutMS = 0 } = client.options;
  const patienceMs = Math.min(awaitMs, socketTimeoutMS > 0 ? socketTimeoutMS / 2 : Infinity);
  const named = new Map(
    watched.flatMap(({ collection, named: path }) => (path === undefined ? [] : [[collection, path]])),
  );
  const cursor = database.runCursorCommand({
    aggregate: 1,
    cursor: {},
    pipeline: pipelineOf(watched, [...named.values()]),
  });
  const hasty: number[] = [];
  const ask = async (waitMs: number): Promise<StoreChange | undefined> => {
    cursor.setMaxTimeMS(waitMs);
    const askedAt = performance.now();
    const event: Document | null = await soon(cursor.tryNext(), waitMs + lateMs);
    const now = performance.now();
    if (event !== null || now - askedAt >= waitMs / 10) hasty.length = 0;
    else if (hasty.push(now) > HASTY_ANSWERS && now - (hasty.shift() ?? 0) < HASTY_MS)
      throw new ChangesRefused('the server does not wait for changes');
    return event === null ? undefined : changeOf(event, named);
  };
  let first: StoreChange | undefined;
  return {
    open: async () => void (first = await ask(1).catch(refusal)),
    next: async () => {
      const kept = first;
      first = undefined;
      return kept ?? ask(patienceMs);
    },
    close: () => cursor.close().catch(() => undefined),
  };
}

function pipelineOf(watched: readonly WatchedCollection[], paths: readonly string[]): Document[] {
  const $or = watched.map(({ collection, types, fields }) => ({
    'ns.coll': collection,
    operationType: { $in: types },
    ...(fields === undefined
      ? {}
      : {
          $or: [
            { operationType: { $ne: 'update' } },
            ...fields.map((field) => ({ [`updateDescription.updatedFields.${field}`]: { $exists: true } })),
          ],
        }),
  }));
  const shown = Object.fromEntries(paths.map((path) => [`fullDocument.${path}`, 1]));
  // The id of an event stays: a stream without it ends.
  return [{ $changeStream: {} }, { $match: { $or } }, { $project: { ns: 1, documentKey: 1, ...shown } }];
}

function changeOf(event: Document, named: ReadonlyMap<string, string>): StoreChange {
  const { ns, documentKey, fullDocument } = event as {
    readonly ns: { readonly coll: string };
    readonly documentKey?: { readonly _id?: unknown };
    readonly fullDocument?: unknown;
  };
  const path = named.get(ns.coll);
  const id =
    path === undefined
      ? documentKey?._id
      : path.split('.').reduce<unknown>((part, name) => (part as Document | undefined)?.[name], fullDocument);
  return { collection: ns.coll, id: typeof id === 'string' ? id : undefined };
}

/**
 * An answer to the opening of a stream that is not about the state of the server refuses. Whatever ends a stream that
 * was open, such as a history that has become too short for a slow reader, does not: a new one begins at its end.
 */
function refusal(error: unknown): never {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  throw typeof code === 'number' && !isPassing(error) ? new ChangesRefused(String(message), { cause: error }) : error;
}

async function soon<R>(work: Promise<R>, ms: number): Promise<R> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error(`the store has not answered for ${Math.round(ms / 1000)} s`)),
      ms,
    ).unref();
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined);
  }
}
