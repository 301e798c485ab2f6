import Joi from 'joi';
import { flush } from '../../../folders/index.js';
import { OBJECT_LIMIT } from '../../../storage/index.js';
import { measured } from '../copied-file.js';
import type { ConnectorContext, FoundFile, OpenSource, SourceKind } from '../model.js';
import { bucketFields, bucketSecrets, type ChosenOptions } from './s3-options.js';
import { NO_CONDITIONS, S3Side, type OpenBucket, type S3Deps } from './s3-side.js';

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
export function s3Source(deps: S3Deps): SourceKind {
  const buckets = new S3Side('SOURCE', options, deps);
  return {
    type: 's3',
    title: 'S3 bucket',
    help: 'Takes the objects of a bucket of S3, or of a service that works like it.',
    icon: 'database',
    options,
    secrets: bucketSecrets,
    announces: false,
    check: (given, context) =>
      buckets.prove(given, context, async (open) => {
        const { status } = await open.bucket.list({ prefix: open.options.prefix, most: 1 }, context.signal);
        if (status !== 200) throw open.refused(status);
      }),
    open: async (given, context) => new S3Source(await buckets.open(given, context), context),
  };
}

/** Statuses that say that an object is gone or is another one: 412 is that of a condition that does not hold. */
const OVER: ReadonlySet<number> = new Set([404, 412]);

class S3Source implements OpenSource {
  constructor(
    private readonly open: OpenBucket<SourceOptions>,
    private readonly context: ConnectorContext,
  ) {}

  async *list(): AsyncGenerator<FoundFile> {
    const { prefix } = this.open.options;
    let after: string | undefined;
    do {
      const token = after;
      const { status, page } = await this.open.ask((bucket) =>
        bucket.list({ prefix, after: token }, this.context.signal),
      );
      if (page === undefined) throw this.open.refused(status);
      for (const { key, etag, size, changedAt } of page.objects)
        if (isInput(key) && size <= OBJECT_LIMIT)
          yield { key, name: key.slice(key.lastIndexOf('/') + 1), size, version: etag, changedAt };
      after = page.next;
    } while (after !== undefined);
  }

  async fetch(found: FoundFile, path: string) {
    const { key, version } = found;
    const { signal } = this.context;
    const { status } = await this.open.ask((bucket) =>
      bucket.download(key, path, { headers: { 'if-match': version }, signal }),
    );
    if (OVER.has(status)) return undefined;
    if (status !== 200) throw this.open.refused(status);
    await flush(path);
    return measured(path);
  }

  async finish({ key, version }: FoundFile): Promise<void> {
    if (this.open.options.mode === 'snapshot') return;
    const { signal } = this.context;
    const { status, headers } = await this.open.ask((bucket) => bucket.head(key, signal));
    if (status === 404 || (status === 200 && headers['etag'] !== version)) return;
    if (status !== 200) throw this.open.refused(status);
    // Not every service knows the condition; those that do close the gap between the two requests.
    let answer = await this.open.ask((bucket) => bucket.delete(key, { 'if-match': version }, signal));
    if (NO_CONDITIONS.has(answer.status)) answer = await this.open.ask((bucket) => bucket.delete(key, {}, signal));
    if (answer.status >= 300 && !OVER.has(answer.status)) throw this.open.refused(answer.status);
  }

  async close(): Promise<void> {}
}

/** Folders (keys that end with a slash) and hidden objects are no inputs. */
function isInput(key: string): boolean {
  return !key.endsWith('/') && !/(^|\/)\./.test(key);
}
