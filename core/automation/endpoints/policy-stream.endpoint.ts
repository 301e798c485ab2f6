import { defineEndpoint, type Endpoint } from '@quire/registry';
import { namedEventStream, type NamedEvent } from '../../http/response/index.js';
import type { JobService } from '../../jobs/index.js';
import { runCodes } from './automations.endpoint.js';
import { policyShared } from './policies.endpoint.js';
import type { PolicyRunDeps } from './policy-runs.endpoint.js';
import { runView } from './policy-wire.js';
import { definitionIn, runSteps, stepsRequest } from './run-steps.js';

const finalEvents = { succeeded: 'completed', failed: 'failed', cancelled: 'cancelled' } as const;

/** Runs steps that are not saved and streams what happens, for at most `timeoutMs` milliseconds. */
export function policyStreamEndpoint(deps: PolicyRunDeps, timeoutMs: number): Endpoint {
  return defineEndpoint({
    ...policyShared,
    id: 'streamPolicySteps',
    method: 'POST',
    path: 'policies/run/stream',
    summary: 'Run steps once on your files and stream the progress (server-sent events)',
    notes:
      'The first event, `run`, has the id of the run, so that it can be found again. Then `step` for each step, and one ' +
      'last event with the run: `completed`, `failed`, `cancelled`, or `ended` when `policies.streamTimeoutMs` has ' +
      'passed. The run goes on when the client leaves.',
    request: stepsRequest,
    returns: { description: 'Events', mediaType: 'text/event-stream' },
    errors: [...runCodes],
    handle: async (request) => {
      const answer = await runSteps(deps, request);
      const { jobId } = answer.json as { readonly jobId: string };
      const { pipeline } = JSON.parse(definitionIn(request)) as { readonly pipeline: readonly unknown[] };
      const stepCount = pipeline.length;
      const events = runEvents(
        await deps.jobs(),
        jobId,
        stepCount,
        AbortSignal.any([request.signal, until(timeoutMs)]),
      );
      return {
        stream: { mediaType: 'text/event-stream', body: namedEventStream(events, request.signal) },
        headers: { 'cache-control': 'private, no-store' },
      };
    },
  });
}

/** The longest time of a timer. */
const LONGEST_MS = 2 ** 31 - 1;

/** 0 or less is no limit. */
function until(timeoutMs: number): AbortSignal {
  return timeoutMs > 0 ? AbortSignal.timeout(Math.min(timeoutMs, LONGEST_MS)) : new AbortController().signal;
}

async function* runEvents(
  jobs: JobService,
  runId: string,
  stepCount: number,
  signal: AbortSignal,
): AsyncGenerator<NamedEvent> {
  yield { event: 'run', data: { runId, stepCount } };
  let current: { readonly index: number; readonly path: string } | undefined;
  const step = (phase: 'started' | 'completed', { index, path }: NonNullable<typeof current>): NamedEvent => ({
    event: 'step',
    data: { phase, stepIndex: index + 1, stepCount, operation: path },
  });
  for await (const job of jobs.events(runId, signal)) {
    const next = job.step ?? undefined;
    if (next !== undefined && next.index !== current?.index) {
      if (current !== undefined) yield step('completed', current);
      yield step('started', next);
      current = next;
    }
    if (!job.complete) continue;
    if (current !== undefined && job.status === 'succeeded') yield step('completed', current);
  }
  const record = await jobs.get(runId);
  const { status } = record ?? { status: 'failed' };
  yield {
    event: status in finalEvents ? finalEvents[status as keyof typeof finalEvents] : 'ended',
    data: { ...runView(undefined, record), stepCount },
  };
}
