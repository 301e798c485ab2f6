import { writeFile, rm } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import Joi from 'joi';
import { cleanFileName } from '../../../operations/runner/index.js';
import type { S3Bucket } from '../../../storage/index.js';
import { numbered } from '../../../folders/index.js';
import type { ConnectorDeps } from '../deps.js';
import { proving, reaching, unreachable } from '../faults.js';
import type {
  ConnectorContext,
  ConnectorOptions,
  DeliveredFile,
  Delivery,
  DestinationKind,
  OpenDestination,
} from '../model.js';
import { idOf, readNote } from '../note.js';
import { readOptions } from '../read-options.js';
import {
  asked,
  blamingConnection,
  bucketFields,
  bucketSecrets,
  openBucket,
  refusedStatus,
  withSavedConnection,
  type BucketOptions,
  type ChosenOptions,
} from './s3-options.js';

/** Remembered before an object is stored. */
interface Note {
  readonly key: string;
}

const note = Joi.object<Note>({ key: Joi.string().required() });
const options = Joi.object<ChosenOptions>(bucketFields);

/** Names the delivery that stored an object. */
const OWNER = 'x-amz-meta-quire-delivery';
const MOST_NAMES = 10_000;

/** Puts results into an S3 bucket, each under a key that is free. */
export function s3Destination(deps: Pick<ConnectorDeps, 'settings' | 'outbound' | 'connections'>): DestinationKind {
  const read = (given: ConnectorOptions, context: ConnectorContext): Promise<ChosenOptions & BucketOptions> =>
    withSavedConnection('DESTINATION', readOptions('DESTINATION', options, given), deps.connections(), context);
  return {
    type: 's3',
    title: 'S3 bucket',
    help: 'Puts each result into a bucket of S3, or of a service that works like it.',
    icon: 'database',
    options,
    secrets: bucketSecrets,
    async check(given, context) {
      const chosen = await read(given, context);
      await blamingConnection('DESTINATION', chosen, async () =>
        provePut(deps, openBucket('DESTINATION', chosen, deps), chosen.prefix, context.signal),
      );
    },
    async open(given, context) {
      const chosen = await read(given, context);
      return new S3Destination(openBucket('DESTINATION', chosen, deps), chosen, context);
    },
  };
}

/** Stores an empty object and removes it. */
async function provePut(
  { settings }: Pick<ConnectorDeps, 'settings'>,
  bucket: S3Bucket,
  prefix: string,
  signal: AbortSignal,
): Promise<void> {
  const empty = join(settings.paths.tmp, `quire-check-${randomUUID()}`);
  await writeFile(empty, '');
  try {
    await proving('DESTINATION', 'endpoint', () =>
      asked('DESTINATION', async () => {
        // Hidden from sources. It is always the same, so that a key that may not delete leaves one at most.
        const probe = `${folderOf(prefix)}.quire-check`;
        const { status } = await bucket.put(probe, empty, { signal });
        if (status !== 200) throw refusedStatus('DESTINATION', status, bucket.host);
        await bucket.delete(probe, {}, signal);
      }),
    );
  } finally {
    await rm(empty, { force: true });
  }
}

/**
 * An object is stored only if its key is free, with the id of the delivery as metadata. So a repeated delivery that
 * finds its remembered key taken sees whether that was itself.
 */
class S3Destination implements OpenDestination {
  constructor(
    private readonly bucket: S3Bucket,
    private readonly options: BucketOptions,
    private readonly context: ConnectorContext,
  ) {}

  async deliver(file: DeliveredFile, delivery: Delivery): Promise<{ readonly place: string }> {
    const before = readNote(delivery, note);
    const name = cleanFileName(file.name).replace(/^\.+/, '_');
    const wanted = (number: number): string => folderOf(this.options.prefix) + numbered(name, number);
    if (before !== undefined && (await this.#store(before.key, file, delivery))) return this.#placed(before.key);
    for (let number = 0; number < MOST_NAMES; number++) {
      const key = wanted(number);
      if (key === before?.key || (await this.#head(key)).status !== 404) continue;
      await delivery.remember(JSON.stringify({ key }));
      if (await this.#store(key, file, delivery)) return this.#placed(key);
    }
    throw unreachable('DESTINATION', `the bucket has ${MOST_NAMES} objects with this name`);
  }

  async close(): Promise<void> {}

  #placed(key: string): { readonly place: string } {
    return { place: `s3://${this.options.bucket}/${key}` };
  }

  /** Stores the object; true also when an earlier attempt has, false when the key has another object. */
  async #store(key: string, file: DeliveredFile, delivery: Delivery): Promise<boolean> {
    const { signal } = this.context;
    const headers = { 'content-type': file.mediaType, [OWNER]: idOf(delivery) };
    const ifFree = { ...headers, 'if-none-match': '*' };
    let { status } = await this.#ask(() => this.bucket.put(key, file.path, { headers: ifFree, signal }));
    if (status === 501) {
      // The service does not know the condition.
      const there = await this.#head(key);
      if (there.status === 404)
        ({ status } = await this.#ask(() => this.bucket.put(key, file.path, { headers, signal })));
      else status = 412;
    }
    if (status === 200) return true;
    if (status === 412) return (await this.#head(key)).headers[OWNER] === idOf(delivery);
    if (status === 409) throw unreachable('DESTINATION', 'somebody else is storing an object under the same key');
    throw refusedStatus('DESTINATION', status, this.bucket.host);
  }

  async #head(key: string) {
    const answer = await this.#ask(() => this.bucket.head(key, this.context.signal));
    // Without the right to list, a service answers 403 for a key that is free.
    if (answer.status === 403) return { ...answer, status: 404 };
    if (answer.status === 200 || answer.status === 404) return answer;
    throw refusedStatus('DESTINATION', answer.status, this.bucket.host);
  }

  #ask<T>(work: () => Promise<T>): Promise<T> {
    return reaching('DESTINATION', () => asked('DESTINATION', work));
  }
}

/** The prefix as a folder: it ends with a slash, unless it is empty. */
function folderOf(prefix: string): string {
  return prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`;
}
