import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { OperationalError, type ConcreteKind, type EndpointAnswer } from '@quire/registry';
import { Scratch, type Runner } from '../../operations/runner/index.js';
import type { WireFile } from '../../operations/workers/index.js';
import { nothingText, type JobRecord, type JobService } from '../../jobs/index.js';
import { answerMediaType } from '../request/media-type.js';
import { factHeaders } from '../response/fact-headers.js';

export interface ResultDeps {
  readonly jobs: JobService;
  readonly scratchRoot: string;
  zip: Runner['zip'];
}

/** True when the client asks for the list of files instead of a file. */
export function wantsJson(accept: string | undefined): boolean {
  return /^\s*application\/json\b/i.test(accept ?? '');
}

/**
 * Returns the file that the synchronous call would have answered: the only one, or a zip of several, built from the
 * kept files.
 */
async function jobResultFile(
  deps: ResultDeps,
  record: JobRecord,
  accept: string | undefined,
  signal: AbortSignal,
): Promise<NonNullable<EndpointAnswer['file']>> {
  const { jobs } = deps;
  const [only] = record.allResultFiles;
  if (record.archiveName === null && only !== undefined && record.allResultFiles.length === 1) {
    const file = await jobs.openResult(record, only.fileId);
    if (file === undefined) throw new OperationalError('JOB_FILE_LOST', { name: only.fileName });
    // Pipelines answer every file type as octet-stream (`docs/interface/pipeline.yml`).
    return {
      name: only.fileName,
      mediaType: record.kind === 'pipeline' ? 'application/octet-stream' : only.contentType,
      stream: file.stream,
      size: file.size,
    };
  }
  const scratch = await Scratch.create(deps.scratchRoot);
  try {
    const files: WireFile[] = [];
    for (const [i, { fileId, fileName, fileSize }] of record.allResultFiles.entries()) {
      const path = await jobs.resultOnDisk(record, fileId, () => scratch.filePath());
      if (path === undefined) throw new OperationalError('JOB_FILE_LOST', { name: fileName });
      const modified = record.resultTimes?.[i] ?? undefined;
      files.push({
        name: fileName,
        path,
        size: fileSize,
        kind: (record.resultKinds[i] ?? 'bin') as ConcreteKind,
        ...(modified === undefined ? {} : { modified }),
      });
    }
    const target = scratch.filePath();
    await deps.zip(files, target, signal);
    const stream = createReadStream(target);
    stream.once('close', () => void scratch.dispose());
    return {
      name: record.archiveName ?? 'output.zip',
      mediaType: answerMediaType('zip', accept),
      stream,
      size: (await stat(target)).size,
    };
  } catch (error) {
    await scratch.dispose();
    throw error;
  }
}

/** Returns bytes and headers that the synchronous call would have answered, for a job that succeeded. */
export async function finishedAnswer(
  deps: ResultDeps,
  record: JobRecord,
  accept: string | undefined,
  signal: AbortSignal,
): Promise<EndpointAnswer> {
  const files = record.allResultFiles.length;
  // Records of earlier versions contain the headers instead of the facts.
  const headers = record.facts ? factHeaders(record.facts, files) : record.headers;
  if (files === 0 && record.archiveName === null)
    return record.result === nothingText ? { status: 204, headers } : { json: record.result, headers };
  return { file: await jobResultFile(deps, record, accept, signal), headers };
}
