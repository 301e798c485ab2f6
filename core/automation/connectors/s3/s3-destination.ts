import { writeFile, rm } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Joi from 'joi';
import { cleanFileName } from '../../../operations/runner/index.js';
import { numbered } from '../../../folders/index.js';
import { unreachable } from '../faults.js';
import type { ConnectorContext, DeliveredFile, Delivery, DestinationKind, OpenDestination } from '../model.js';
import { idOf, readNote } from '../note.js';
import { bucketFields, bucketSecrets, type ChosenOptions } from './s3-options.js';
import { NO_CONDITIONS, S3Side, type OpenBucket, type S3Deps } from './s3-side.js';

/** Remembered before an object is stored. */
interface Note {
  readonly key: string;
}

const note = Joi.object<Note>({ key: Joi.string().required() });
const options = Joi.object<ChosenOptions>(bucketFields);

/** Names the delivery that stored an object. */
const OWNER = 'x-amz-meta-quire-delivery';
const MOST_NAMES = 10_000;
/** Answers for a key that is not free; that of older versions of MinIO is 304. */
const TAKEN: ReadonlySet<number> = new Set([412, 304]);
/** How often a PUT is repeated that met another request for its key (409), and the first pause before that. */
const MOST_CONFLICTS = 4;
const CONFLICT_MS = 100;

/** Puts results into an S3 bucket, each under a key that is free. */
export function s3Destination(deps: S3Deps): DestinationKind {
  const buckets = new S3Side('DESTINATION', options, deps);
  return {
    type: 's3',
    title: 'S3 bucket',
    help: 'Puts each result into a bucket of S3, or of a service that works like it.',
    icon: 'database',
    options,
    secrets: bucketSecrets,
    check: (given, context) => buckets.prove(given, context, (open) => provePut(deps, open, context.signal)),
    open: async (given, context) => new S3Destination(await buckets.open(given, context), context),
  };
}

/** Stores an empty object and removes it. */
async function provePut(
  { settings }: Pick<S3Deps, 'settings'>,
  open: OpenBucket<ChosenOptions>,
  signal: AbortSignal,
): Promise<void> {
  const empty = join(settings.paths.tmp, `quire-check-${randomUUID()}`);
  await writeFile(empty, '');
  try {
    // Hidden from sources. It is always the same, so that a key that may not delete leaves one at most.
    const probe = `${folderOf(open.options.prefix)}.quire-check`;
    const { status } = await open.bucket.put(probe, empty, { signal });
    if (status !== 200) throw open.refused(status);
    await open.bucket.delete(probe, {}, signal);
  } finally {
    await rm(empty, { force: true });
  }
}

/** What is under a key: nothing, the object of this delivery, or another one. */
type Occupant = 'none' | 'own' | 'other';

/**
 * An object is stored only if its key is free, with the id of the delivery as metadata. So a repeated delivery that
 * finds a key taken sees whether that was itself, and servers that know nothing of each other never replace an object.
 */
class S3Destination implements OpenDestination {
  #knowsConditions = true;

  constructor(
    private readonly open: OpenBucket<ChosenOptions>,
    private readonly context: ConnectorContext,
  ) {}

  async deliver(file: DeliveredFile, delivery: Delivery): Promise<{ readonly place: string }> {
    const before = readNote(delivery, note);
    if (before !== undefined && (await this.#storeIfFree(before.key, file, delivery))) return this.#placed(before.key);
    const name = cleanFileName(file.name).replace(/^\.+/, '_');
    for (let number = 0; number < MOST_NAMES; number++) {
      const key = folderOf(this.open.options.prefix) + numbered(name, number);
      if (key === before?.key) continue;
      const remember = (): Promise<void> => delivery.remember(JSON.stringify({ key }));
      if (await this.#storeIfFree(key, file, delivery, remember)) return this.#placed(key);
    }
    throw unreachable('DESTINATION', `the bucket has ${MOST_NAMES} objects with this name`);
  }

  async close(): Promise<void> {}

  #placed(key: string): { readonly place: string } {
    return { place: `s3://${this.open.options.bucket}/${key}` };
  }

  /**
   * Stores the object; true also when an earlier attempt has, false when the key has another object. Services that
   * ignore conditions replace that one, so every key is looked at first; `remember` is called before it is taken.
   */
  async #storeIfFree(
    key: string,
    file: DeliveredFile,
    delivery: Delivery,
    remember: () => Promise<void> = async () => undefined,
  ): Promise<boolean> {
    const there = await this.#occupant(key, delivery);
    if (there !== 'none') return there === 'own';
    await remember();
    for (let tries = 0; ; tries++) {
      const status = await this.#put(key, file, delivery);
      if (status === 200) return true;
      if (TAKEN.has(status)) return (await this.#occupant(key, delivery)) === 'own';
      if (status !== 409) throw this.open.refused(status);
      if (tries === MOST_CONFLICTS)
        throw unreachable('DESTINATION', 'somebody else is storing an object under the same key');
      await pause(CONFLICT_MS * 2 ** tries, undefined, { signal: this.context.signal });
    }
  }

  /** Status of a PUT that takes only a free key: 412 when it is not. */
  async #put(key: string, { path, mediaType }: DeliveredFile, delivery: Delivery): Promise<number> {
    const { signal } = this.context;
    const headers = { 'content-type': mediaType, [OWNER]: idOf(delivery) };
    const put = async (condition: Readonly<Record<string, string>>): Promise<number> =>
      (await this.open.ask((bucket) => bucket.put(key, path, { headers: { ...headers, ...condition }, signal })))
        .status;
    if (this.#knowsConditions) {
      const status = await put({ 'if-none-match': '*' });
      if (!NO_CONDITIONS.has(status)) return status;
      // It may have taken a while to send the object.
      if ((await this.#occupant(key, delivery)) !== 'none') return 412;
    }
    const status = await put({});
    if (status === 200) this.#knowsConditions = false;
    return status;
  }

  async #occupant(key: string, delivery: Delivery): Promise<Occupant> {
    const { status, headers } = await this.open.ask((bucket) => bucket.head(key, this.context.signal));
    // Without the right to list, a service answers 403 for a key that is free.
    if (status === 404 || status === 403) return 'none';
    if (status !== 200) throw this.open.refused(status);
    return headers[OWNER] === idOf(delivery) ? 'own' : 'other';
  }
}

/** The prefix as a folder: it ends with a slash, unless it is empty. */
function folderOf(prefix: string): string {
  return prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`;
}
