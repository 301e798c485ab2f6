import { Readable } from 'node:stream';
import {
  type Clock,
  defineEndpoint,
  errorRow,
  isQuireError,
  type JoiRoot,
  type Logger,
  OperationalError,
  tokens,
} from '@quire/registry';
import { positive } from '../services/model-target.js';
import { type OrchestrateCall, orchestrateCall, orchestrateFields } from './orchestrate-call.js';
import { outcomeSchema } from './orchestrate.endpoint.js';

/** How often a silent stream says that it is there: proxies close those that say nothing for half a minute. */
const HEARTBEAT_MS = 10_000;

/** The data of the events, in the order of the notes below. */
const eventData = (joi: JoiRoot) =>
  joi.alternatives(
    joi
      .object({
        phase: joi
          .string()
          .valid('analyzing', 'calling_engine', 'extracting_content', 'executing_tool', 'processing')
          .required(),
        timestamp: joi.number().integer().required().description('Milliseconds since 1970'),
        tool: joi.string(),
        stepIndex: joi.number().integer(),
        stepCount: joi.number().integer(),
      })
      .label('OrchestrateProgress'),
    joi.object({}).label('OrchestrateHeartbeat'),
    outcomeSchema(joi),
    joi.object({ message: joi.string().required() }).label('OrchestrateFailure'),
  );

/** The same as server-sent events (`docs/interface/ai.yml`, orchestrate/stream). */
export const orchestrateStream = defineEndpoint({
  id: 'streamOrchestration',
  method: 'POST',
  path: 'ai/orchestrate/stream',
  since: '0.2.0',
  summary: 'The same, followed as server-sent events',
  notes:
    'Events: `progress` (`phase`, `timestamp` in milliseconds; with `executing_tool` also `tool`, `stepIndex`, ' +
    '`stepCount`), `heartbeat`, `result` (the answer of `ai/orchestrate`), `error` (`message`). What fails ' +
    'once the stream is open arrives as `error`, and the stream closes as usual. The work ends when the client ' +
    'goes, and after `aiEngine.streamTimeoutSeconds`.',
  tag: 'ai',
  access: { cost: 1 },
  request: { payloadType: 'multipart', payload: orchestrateFields },
  returns: { description: 'Events', mediaType: 'text/event-stream', json: eventData },
  errors: [
    'INPUT_INVALID',
    'INPUT_KIND',
    'INPUT_TOO_LARGE',
    'INPUT_FILE_EMPTY',
    'INPUT_FILE_COUNT',
    'INPUT_MEDIA_TYPE',
    'KEY_INVALID',
    'SERVICE_NOT_SET_UP',
  ],
  handle: async (request, ctx) => {
    const call = orchestrateCall(request, ctx);
    return {
      stream: {
        mediaType: 'text/event-stream',
        ...eventsOf(limited(call, positive(ctx.use(tokens.settings), 'aiEngine.streamTimeoutSeconds')), {
          signal: request.signal,
          clock: ctx.use(tokens.clock),
          log: ctx.use(tokens.logger),
        }),
      },
      headers: { 'cache-control': 'private, no-store' },
    };
  },
});

/** The call, ended with TIMEOUT after so many seconds; undefined sets no limit. */
function limited(call: OrchestrateCall, seconds: number | undefined): OrchestrateCall {
  if (seconds === undefined) return call;
  return {
    run: async (progress, signal) => {
      const limit = AbortSignal.timeout(seconds * 1000);
      try {
        return await call.run(progress, AbortSignal.any([signal, limit]));
      } catch (error) {
        throw limit.aborted && !signal.aborted ? new OperationalError('TIMEOUT', { seconds }, { cause: error }) : error;
      }
    },
  };
}

interface StreamDeps {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly log: Logger;
}

function eventsOf(
  call: OrchestrateCall,
  { signal, clock, log }: StreamDeps,
): { readonly body: Readable; readonly work: Promise<void> } {
  const body = new Readable({ read: () => undefined });
  const say = (event: string, data: object): void => {
    if (!body.destroyed) body.push(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  };
  const heartbeat = setInterval(() => say('heartbeat', {}), HEARTBEAT_MS);
  heartbeat.unref();
  signal.addEventListener('abort', () => body.destroy(), { once: true });
  const carryOut = async (): Promise<void> => {
    try {
      say('result', await call.run((at) => say('progress', { ...at, timestamp: clock.now().getTime() }), signal));
    } catch (error) {
      if (isDefect(error)) log.error({ err: error }, 'a streamed request failed');
      say('error', {
        message: isQuireError(error) && !isDefect(error) ? error.message : 'The server made an error. It was logged.',
      });
      throw error;
    } finally {
      clearInterval(heartbeat);
      if (!body.destroyed) body.push(null);
    }
  };
  const work = carryOut();
  // The charge looks at the result; the error itself was reported already.
  work.catch(() => undefined);
  return { body, work };
}

function isDefect(error: unknown): boolean {
  return !isQuireError(error) || errorRow(error.code).family === 'defect';
}
