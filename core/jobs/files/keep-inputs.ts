import { mapAtOnce } from '../../semaphore/index.js';
import { newBlobId, type FileContents } from '../../store/index.js';
import { BLOBS_AT_ONCE } from '../job-endings.js';
import type { JobInput } from '../job-executor.js';
import type { JobContext } from '../job-options.js';
import type { StoredInput } from '../job-record.js';

/** With more waiting jobs their inputs are stored apart: who searches them would read the inputs of all. */
const MOST_WAITING = 1000;

/**
 * Stores the uploads of a job, and lists them in `stored`, which after a failure names those to be deleted. Returns the
 * contents of files that are to be stored with the record; undefined for others, which are in the store already.
 */
export async function keepInputs(
  { blobs, attached }: Pick<JobContext, 'blobs' | 'attached'>,
  inputs: readonly JobInput[],
  stored: StoredInput[],
  waiting: number,
): Promise<FileContents | undefined> {
  const contents = waiting < MOST_WAITING ? await attached.contents(inputs.map(({ path }) => path)) : undefined;
  if (contents !== undefined) {
    const ids = contents.map(() => newBlobId());
    for (const [index, { field, name, kind, mediaType }] of inputs.entries())
      stored[index] = {
        field,
        name,
        kind,
        ...(mediaType === undefined ? {} : { mediaType }),
        attached: true,
        blobId: ids[index] ?? '',
      };
    return new Map(contents.map((content, index) => [ids[index] ?? '', content]));
  }
  await mapAtOnce(inputs, BLOBS_AT_ONCE, async ({ path, sha256, ...input }, index) => {
    stored[index] =
      sha256 === undefined || blobs.putCached === undefined
        ? { ...input, blobId: (await blobs.put(path)).id }
        : { ...input, sha256, blobId: (await blobs.putCached(path)).id };
  });
  return undefined;
}
