import Joi from 'joi';
import { flush } from '../../../folders/index.js';
import { OBJECT_LIMIT, type S3Bucket } from '../../../storage/index.js';
import { measured } from '../copied-file.js';
import type { ConnectorDeps } from '../deps.js';
import { proving, reaching } from '../faults.js';
import type { ConnectorContext, ConnectorOptions, FoundFile, OpenSource, SourceKind } from '../model.js';
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

interface SourceOptions extends ChosenOptions {
  readonly mode: 'consume' | 'snapshot';
}

const options = Joi.object<SourceOptions>({
  ...bucketFields,
  mode: Joi.string()
    .valid('consume', 'snapshot')
    .default('consume')
    .description(
      'consume deletes each object when its results are delivered; snapshot leaves all objects where they are',
    )
    .meta({
      shown: { label: 'After delivery', help: '', options: { consume: 'Remove the file', snapshot: 'Leave the file' } },
    }),
});

/** Objects of an S3 bucket whose keys begin with a prefix. */
export function s3Source(deps: Pick<ConnectorDeps, 'settings' | 'outbound' | 'connections'>): SourceKind {
  const read = (given: ConnectorOptions, context: ConnectorContext): Promise<SourceOptions & BucketOptions> =>
    withSavedConnection('SOURCE', readOptions('SOURCE', options, given), deps.connections(), context);
  return {
    type: 's3',
    title: 'S3 bucket',
    help: 'Takes the objects of a bucket of S3, or of a service that works like it.',
    icon: 'database',
    options,
    secrets: bucketSecrets,
    announces: false,
    async check(given, context) {
      const chosen = await read(given, context);
      await blamingConnection('SOURCE', chosen, async () => {
        const bucket = openBucket('SOURCE', chosen, deps);
        await proving('SOURCE', 'endpoint', () =>
          asked('SOURCE', async () => {
            const { status } = await bucket.list({ prefix: chosen.prefix, most: 1 }, context.signal);
            if (status !== 200) throw refusedStatus('SOURCE', status, bucket.host);
          }),
        );
      });
    },
    async open(given, context) {
      const chosen = await read(given, context);
      return new S3Source(openBucket('SOURCE', chosen, deps), chosen, context);
    },
  };
}

/** Statuses that say that an object is gone or is another one: 412 is that of a condition that does not hold. */
const OVER: ReadonlySet<number> = new Set([404, 412]);

class S3Source implements OpenSource {
  constructor(
    private readonly bucket: S3Bucket,
    private readonly options: SourceOptions,
    private readonly context: ConnectorContext,
  ) {}

  async *list(): AsyncGenerator<FoundFile> {
    const { prefix } = this.options;
    let after: string | undefined;
    do {
      const token = after;
      const { status, page } = await this.#ask(() => this.bucket.list({ prefix, after: token }, this.context.signal));
      if (page === undefined) throw refusedStatus('SOURCE', status, this.bucket.host);
      for (const { key, etag, size, changedAt } of page.objects)
        if (isInput(key) && size <= OBJECT_LIMIT)
          yield { key, name: key.slice(key.lastIndexOf('/') + 1), size, version: etag, changedAt };
      after = page.next;
    } while (after !== undefined);
  }

  async fetch(found: FoundFile, path: string) {
    const { key, version } = found;
    const { signal } = this.context;
    const { status } = await this.#ask(() =>
      this.bucket.download(key, path, { headers: { 'if-match': version }, signal }),
    );
    if (OVER.has(status)) return undefined;
    if (status !== 200) throw refusedStatus('SOURCE', status, this.bucket.host);
    await flush(path);
    return measured(path);
  }

  async finish({ key, version }: FoundFile): Promise<void> {
    if (this.options.mode === 'snapshot') return;
    const { signal } = this.context;
    const { status, headers } = await this.#ask(() => this.bucket.head(key, signal));
    if (status === 404 || (status === 200 && headers['etag'] !== version)) return;
    if (status !== 200) throw refusedStatus('SOURCE', status, this.bucket.host);
    // Not every service knows the condition; those that do close the gap between the two requests.
    let answer = await this.#ask(() => this.bucket.delete(key, { 'if-match': version }, signal));
    if (answer.status === 501) answer = await this.#ask(() => this.bucket.delete(key, {}, signal));
    if (answer.status >= 300 && !OVER.has(answer.status))
      throw refusedStatus('SOURCE', answer.status, this.bucket.host);
  }

  async close(): Promise<void> {}

  #ask<T>(work: () => Promise<T>): Promise<T> {
    return reaching('SOURCE', () => asked('SOURCE', work));
  }
}

/** Folders (keys that end with a slash) and hidden objects are no inputs. */
function isInput(key: string): boolean {
  return !key.endsWith('/') && !/(^|\/)\./.test(key);
}
