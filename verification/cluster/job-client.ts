import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { JobKind } from './job-mix.js';

/** A job record as clients see it; only the members that are compared. */
export interface SeenJob {
  readonly jobId: string;
  readonly complete: boolean;
  readonly status: string;
  readonly error: string | null;
  readonly result: unknown;
  readonly attempts: number;
  readonly allResultFiles: readonly {
    readonly fileId: string;
    readonly fileName: string;
    readonly contentType: string;
    readonly fileSize: number;
  }[];
}

/** Counts of problems that a client must expect. */
export interface Patience {
  /** Answers 503 and 429. */
  asked: number;
  /** Connections refused or broken: the node was away. */
  broken: number;
  /** Submissions in doubt, whose answer was lost or was 503: the job may exist although no client knows it. */
  unanswered: number;
  /** Texts of answers with any other status, which no client should get. */
  readonly wrong: string[];
}

/** A careful client: it repeats requests that were answered with Retry-After, and requests whose connection broke. */
export class JobClient {
  readonly patience: Patience = { asked: 0, broken: 0, unanswered: 0, wrong: [] };

  constructor(private readonly url: () => string) {}

  /**
   * Submits a job, again and again until it is accepted. Returns its id, or undefined when the job itself is rejected
   * (4xx).
   */
  async submit(kind: JobKind): Promise<string | undefined> {
    for (;;) {
      const form = new FormData();
      for (const [name, value] of Object.entries(kind.fields)) form.append(name, value);
      for (const { name, bytes } of kind.files)
        form.append('fileInput', new Blob([bytes], { type: 'application/pdf' }), name);
      const answer = await this.#call(`/api/v1/${kind.path}?async=true`, {
        method: 'POST',
        body: form,
        headers: { accept: 'application/json' },
      });
      if (answer === undefined) {
        this.patience.unanswered += 1;
        continue;
      }
      if (answer.status === 200) return (JSON.parse(answer.body.toString('utf8')) as { jobId: string }).jobId;
      if (kind.shape === 'refused' && answer.status < 500) return undefined;
      this.patience.wrong.push(`${kind.name}: ${answer.status} ${answer.body.toString('utf8').slice(0, 300)}`);
      return undefined;
    }
  }

  /** Returns the record, or undefined when there is no such job. */
  async record(jobId: string): Promise<SeenJob | undefined> {
    const answer = await this.#persist(`/api/v1/general/job/${encodeURIComponent(jobId)}`);
    if (answer.status === 404) return undefined;
    if (answer.status !== 200)
      throw new Error(`job ${jobId}: ${answer.status} ${answer.body.toString('utf8').slice(0, 300)}`);
    return JSON.parse(answer.body.toString('utf8')) as SeenJob;
  }

  /**
   * Returns one digest of a finished job's result: names, types and bytes of its files (for PDFs without the time of
   * writing), or its JSON value.
   */
  async digest(job: SeenJob): Promise<string> {
    const hash = createHash('sha256');
    hash.update(JSON.stringify(job.result ?? null));
    for (const { fileId, fileName, contentType, fileSize } of job.allResultFiles) {
      const answer = await this.#persist(`/api/v1/general/files/${fileId}`);
      if (answer.status !== 200) return `file ${fileName}: ${answer.status}`;
      if (answer.body.length !== fileSize)
        return `file ${fileName}: ${answer.body.length} bytes instead of ${fileSize}`;
      hash
        .update(`\0${fileName}\0${contentType}\0`)
        .update(contentType === 'application/pdf' ? withoutTimes(answer.body) : answer.body);
    }
    return hash.digest('hex');
  }

  async #persist(path: string): Promise<{ status: number; body: Buffer }> {
    for (;;) {
      const answer = await this.#call(path, {});
      if (answer !== undefined) return answer;
    }
  }

  /** Makes one call and waits out 429 and 503. Returns undefined, after a moment, when the connection broke. */
  async #call(path: string, init: RequestInit): Promise<{ status: number; body: Buffer } | undefined> {
    try {
      const answer = await fetch(`${this.url()}${path}`, { ...init, signal: AbortSignal.timeout(90_000) });
      const body = Buffer.from(await answer.arrayBuffer());
      if (answer.status !== 429 && answer.status !== 503) return { status: answer.status, body };
      this.patience.asked += 1;
      if (init.method === 'POST' && answer.status === 503) this.patience.unanswered += 1;
      const wait = answer.headers.get('retry-after');
      if (wait === null)
        this.patience.wrong.push(
          `${path}: ${answer.status} without Retry-After: ${body.toString('utf8').slice(0, 200)}`,
        );
      await delay(Math.min(10, Number(wait ?? 1)) * 1000);
      return await this.#call(path, init);
    } catch {
      this.patience.broken += 1;
      await delay(500);
      return undefined;
    }
  }
}

/**
 * Blanks everything in a PDF that depends on the time of writing: dates (ISO 32000-1, 7.9.4; XMP, ISO 8601) and the
 * file identifier (14.4). The length and all other bytes stay.
 */
export function withoutTimes(bytes: Buffer): Buffer {
  const blank = (text: string): string => text.replaceAll(/[0-9a-fA-F]/g, '0');
  const text = bytes
    .toString('latin1')
    .replaceAll(/\(D:\d{14}[^)]{0,8}\)/g, blank)
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g, blank)
    .replaceAll(/\/ID ?\[ ?<[0-9a-fA-F]{32}> ?<[0-9a-fA-F]{32}>/g, blank);
  return Buffer.from(text, 'latin1');
}
