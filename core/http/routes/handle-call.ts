import type { Request, ResponseObject, ResponseToolkit } from '@hapi/hapi';
import type { EndpointAnswer } from '@quire/registry';
import type { HttpDeps } from '../deps.js';
import { onBehalfOf } from '../../semaphore/index.js';
import { turnOwner } from '../request/caller.js';
import { RequestLife } from '../request/request-life.js';
import { answerEndpoint } from '../response/answer-endpoint.js';
import { keyedCall, type SentRequest } from '../response/answer-once.js';
import { captureAnswer, digestsFor } from './audit-captures.js';

export interface CallContext {
  readonly request: Request;
  readonly life: RequestLife;
  /** Receives the SHA-256 of each uploaded file by its path; undefined if nobody needs them. */
  readonly digests: Map<string, string> | undefined;
}

/** The two steps in which operations and endpoints differ. */
export interface CallSteps<T> {
  /** True if the answer may be kept for a repeated call with the same Idempotency-Key. */
  readonly mayKeepAnswer: boolean;
  /** The status of an answer that names none. */
  readonly usualStatus?: number | undefined;
  /** Reads and checks the request. */
  read(context: CallContext): Promise<T>;
  /** The fields and files that were sent; a repeated call is recognised by them. */
  sent(call: T): SentRequest;
  /** Does the work. `jobUuid`: random part for the id of a job that it starts. */
  work(call: T, context: CallContext, jobUuid: string | undefined): Promise<EndpointAnswer>;
}

/**
 * Answers one call: reads it, does its work or repeats the kept answer, records what the audit log wants, and sends the
 * answer. The private folder of the request is removed however the call ends.
 */
export function handleCall<T>(
  deps: HttpDeps,
  steps: CallSteps<T>,
  request: Request,
  h: ResponseToolkit,
): Promise<ResponseObject> {
  const life = new RequestLife(request, deps.scratchRoot);
  return life.hold(onBehalfOf(turnOwner(request), () => answerCall(deps, steps, request, h, life)));
}

async function answerCall<T>(
  deps: HttpDeps,
  steps: CallSteps<T>,
  request: Request,
  h: ResponseToolkit,
  life: RequestLife,
): Promise<ResponseObject> {
  const captures = deps.audit?.captures;
  const once = keyedCall(deps, request, life, steps.mayKeepAnswer);
  const context: CallContext = { request, life, digests: digestsFor(captures, once.digests) };
  const call = await steps.read(context);
  const answer = await once.answer(
    steps.sent(call),
    (jobUuid) => steps.work(call, context, jobUuid),
    steps.usualStatus,
  );
  if (answer.file?.release !== undefined) life.afterwards(answer.file.release);
  captureAnswer(request, captures, answer);
  return answerEndpoint(h, answer, steps.usualStatus);
}
