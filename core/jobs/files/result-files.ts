import { Readable } from 'node:stream';
import { clampRange, saveBlob, type BlobRange } from '../../store/index.js';
import { resultKeyOf } from '../job-endings.js';
import type { JobContext } from '../job-options.js';
import type { JobRecord } from '../job-record.js';
import type { OpenResultFile } from '../job-service.js';
import { writeContent } from './job-inputs.js';

/** The files that complete jobs have returned. All are undefined for one that is not, or no longer, there. */
export class ResultFiles {
  constructor(private readonly context: Pick<JobContext, 'jobs' | 'files' | 'blobs' | 'attached'>) {}

  async open(fileId: string, range?: BlobRange): Promise<OpenResultFile | undefined> {
    const record = await this.#jobOf(fileId);
    return record && this.openOf(record, fileId, range);
  }

  async describe(fileId: string): Promise<OpenResultFile['meta'] | undefined> {
    const record = await this.#jobOf(fileId);
    const meta = record && metaOf(record, fileId);
    if (meta === undefined || record?.resultsAttached === true) return meta;
    return (await this.context.blobs.exists(fileId)) ? meta : undefined;
  }

  async openOf(record: JobRecord, fileId: string, range?: BlobRange): Promise<OpenResultFile | undefined> {
    const { blobs, attached } = this.context;
    const meta = metaOf(record, fileId);
    if (meta && record.resultsAttached === true) {
      const content = (await attached.of(record)).get(fileId);
      return content && { meta, stream: streamOf(content, range), size: content.length };
    }
    const blob = meta && (await blobs.get(fileId, range));
    if (!meta || !blob) return undefined;
    const path = blobs.path(fileId);
    return { meta, stream: blob.stream, size: blob.size, ...(path === undefined ? {} : { path }) };
  }

  /** Returns the path of the file: where it is kept, or `place`, to which it was copied. */
  async onDisk(record: JobRecord, fileId: string, place: () => string | Promise<string>): Promise<string | undefined> {
    const { blobs, attached } = this.context;
    if (metaOf(record, fileId) === undefined) return undefined;
    if (record.resultsAttached === true) {
      const files = await attached.of(record);
      const target = await place();
      return (await writeContent(files, fileId, target)) ? target : undefined;
    }
    const kept = blobs.path(fileId);
    if (kept !== undefined) return (await blobs.exists(fileId)) ? kept : undefined;
    const target = await place();
    return (await saveBlob(blobs, fileId, target)) ? target : undefined;
  }

  async #jobOf(fileId: string): Promise<JobRecord | undefined> {
    const { jobs, files } = this.context;
    const record = await jobs.findOne({ resultKey: resultKeyOf(fileId) });
    if (record !== undefined) return record;
    // Results of earlier versions have a row that names their job.
    const owner = await files.get(fileId);
    return owner && (await jobs.get(owner.jobId));
  }
}

/** Undefined for a file that the record does not list: it came too late, or its job is gone. */
function metaOf(record: JobRecord, fileId: string): OpenResultFile['meta'] | undefined {
  const index = record.allResultFiles.findIndex((one) => one.fileId === fileId);
  const file = record.allResultFiles[index];
  if (!record.complete || !file) return undefined;
  return { ...file, jobId: record.jobId, owner: record.owner, kind: record.resultKinds[index] ?? '' };
}

function streamOf(content: Buffer, range?: BlobRange): Readable {
  const { start, end } = clampRange(range, content.length);
  return Readable.from(end < start ? [] : [content.subarray(start, end + 1)], { objectMode: false });
}
