import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Request } from '@hapi/hapi';
import { reviveError, serialiseError, type EndpointAnswer } from '@quire/registry';
import {
  fingerprintText,
  idempotencyKey,
  isBody,
  type Claim,
  type KeptAnswer,
  type KeptBody,
} from '../../jobs/idempotency/index.js';
import { fileDigest } from '../../store/index.js';
import { header } from '../request/credentials.js';
import type { HttpDeps } from '../deps.js';
import { asQuireError } from './error-body.js';
import { callerOf } from '../request/caller.js';
import type { RequestLife } from '../request/request-life.js';

/** The contents of a request, for its fingerprint. */
export interface SentRequest {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly files: readonly { readonly field: string; readonly name: string; readonly path: string }[];
}

/** A call that may carry an Idempotency-Key. */
export interface KeyedCall {
  /** Receives the SHA-256 of uploaded files by path; undefined if it is not needed. */
  readonly digests: Map<string, string> | undefined;
  /**
   * Does the work and keeps its answer, or returns the kept answer of the first call with this key. Without a key it
   * only does the work. `usual` is the status of an answer without one. The work receives the random part of the id of
   * a job that it starts.
   */
  answer(
    sent: SentRequest,
    work: (uuid: string | undefined) => Promise<EndpointAnswer>,
    usual?: number,
  ): Promise<EndpointAnswer>;
}

/** Longest text, in characters, that is stored encrypted in the record itself. */
const INLINE_CHARS = 16 * 1024;
/** Headers that describe the moment of the call, not the answer. */
const PASSING: ReadonlySet<string> = new Set(['ratelimit', 'ratelimit-policy']);

/**
 * Reads the Idempotency-Key of a POST (draft-ietf-httpapi-idempotency-key-header) before its body. Throws
 * IDEMPOTENCY_KEY_INVALID. `keeps` is false for a call whose answer must not be kept; its key is only validated.
 */
export function keyedCall(
  deps: Pick<HttpDeps, 'keptAnswers' | 'ownerOf'>,
  request: Request,
  life: RequestLife,
  keeps = true,
): KeyedCall {
  const key = request.method === 'post' ? idempotencyKey(header(request, 'idempotency-key')) : undefined;
  if (key === undefined || !keeps) return { digests: undefined, answer: (_sent, work) => work(undefined) };
  const digests = new Map<string, string>();
  return {
    digests,
    answer: async ({ fields, files }, work, usual) => {
      const fingerprint = fingerprintText(
        fields,
        await Promise.all(
          files.map(async ({ field, name, path }) => ({
            field,
            name,
            digest: digests.get(path) ?? (await fileDigest(path)) ?? '',
          })),
        ),
      );
      const entered = await deps.keptAnswers.enter({
        caller: deps.ownerOf(callerOf(request)),
        path: request.path,
        key,
        fingerprint,
      });
      if ('kept' in entered) return replay(entered.kept);
      return first(deps, entered.claim, () => work(entered.claim.uuid), life, usual);
    },
  };
}

async function first(
  { keptAnswers }: Pick<HttpDeps, 'keptAnswers'>,
  claim: Claim,
  work: () => Promise<EndpointAnswer>,
  life: RequestLife,
  usual: number | undefined,
): Promise<EndpointAnswer> {
  let answer: EndpointAnswer;
  try {
    answer = await work();
  } catch (thrown) {
    const error = asQuireError(thrown, { method: 'POST', path: '' });
    // Invalid input stays invalid; refused permissions and external failures may be different at the next attempt.
    if (error.row.family === 'input') await claim.keep({ error: serialiseError(error) });
    else await claim.drop();
    throw thrown;
  }
  try {
    return await keepAnswer(claim, answer, usual, life, keptAnswers.maxAnswerBytes);
  } catch (error) {
    await claim.drop();
    throw error;
  }
}

/**
 * Keeps an answer and returns it in a form that can still be sent: a stream that was consumed to keep it is now a file.
 */
async function keepAnswer(
  claim: Claim,
  answer: EndpointAnswer,
  usual: number | undefined,
  life: RequestLife,
  most: number,
): Promise<EndpointAnswer> {
  const { file, json, text: plain } = answer;
  const empty = file === undefined && json === undefined && plain === undefined;
  const job = typeof json === 'object' && json !== null && 'jobId' in json && 'async' in json;
  const body: KeptBody = {
    status: answer.status ?? usual ?? (empty ? 204 : 200),
    headers: Object.fromEntries(
      Object.entries(answer.headers ?? {}).filter(([name]) => !PASSING.has(name.toLowerCase())),
    ),
    kind: file !== undefined ? 'file' : json !== undefined ? 'json' : plain !== undefined ? 'text' : 'none',
  };
  if (answer.stream !== undefined) {
    // A streamed answer continues while it is sent, so it cannot be kept.
    await claim.drop();
    return answer;
  }
  if (file === undefined) {
    const written = json === undefined ? (plain ?? '') : JSON.stringify(json);
    if (Buffer.byteLength(written) > most) await claim.drop();
    else if (written.length <= INLINE_CHARS)
      await claim.keep({ ...body, ...(empty ? {} : { inline: written }) }, { job });
    else await claim.keep(body, { job, bytes: Readable.from([Buffer.from(written)]) });
    return answer;
  }
  const { name, mediaType, disposition } = file;
  const size = file.bytes?.length ?? (file.path === undefined ? file.size : (await stat(file.path)).size);
  if (size === undefined || size > most) {
    await claim.drop();
    return answer;
  }
  const head = { ...body, file: { name, mediaType, size, ...(disposition === undefined ? {} : { disposition }) } };
  if (file.bytes !== undefined) {
    await claim.keep(head, { bytes: Readable.from([Buffer.from(file.bytes)]) });
    return answer;
  }
  if (file.path !== undefined) {
    await claim.keep(head, { bytes: file.path });
    return answer;
  }
  const path = (await life.scratch()).filePath();
  await pipeline(file.stream ?? Readable.from([]), createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  await claim.keep(head, { bytes: path });
  return {
    ...answer,
    file: {
      name,
      mediaType,
      path,
      ...(disposition === undefined ? {} : { disposition }),
      ...(file.release === undefined ? {} : { release: file.release }),
    },
  };
}

/** Rebuilds the first answer. */
async function replay({ head, body }: KeptAnswer): Promise<EndpointAnswer> {
  if (!isBody(head)) throw reviveError(head.error);
  const { status, kind, inline, file } = head;
  const again = { status, headers: { ...head.headers, 'idempotent-replayed': 'true' } };
  if (kind === 'file' && file !== undefined && body !== undefined) return { ...again, file: { ...file, stream: body } };
  const written = inline ?? (body === undefined ? '' : await text(body));
  if (kind === 'json') return { ...again, json: JSON.parse(written) as unknown };
  return kind === 'text' ? { ...again, text: written } : again;
}
