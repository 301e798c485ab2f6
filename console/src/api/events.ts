import { call } from './call.ts';
import { pause } from './pause.ts';
import { asProblem } from './problem.ts';

export interface ServerEvent {
  readonly name: string;
  readonly data: string;
  /** Sent back when a lost connection is opened again. */
  readonly id?: string | undefined;
}

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 15_000;

export interface FollowOptions {
  readonly signal: AbortSignal;
  readonly event: (event: ServerEvent) => void;
  /** Called when the connection is lost (false) and when it is there again (true). */
  readonly connected?: (connected: boolean) => void;
}

/**
 * Follows server-sent events until the server ends the stream after a `complete` event, or `signal` is aborted. A lost
 * connection is opened again, with growing pauses; the server then sends the state of now. By fetch, because
 * EventSource sends no Authorization header. Rejects with a `Problem` when the server refuses.
 */
export async function followEvents(path: string, { signal, event, connected }: FollowOptions): Promise<void> {
  let delay = FIRST_DELAY_MS;
  let complete = false;
  let lastId: string | undefined;
  while (!signal.aborted && !complete) {
    try {
      const known = lastId === undefined ? {} : { 'Last-Event-ID': lastId };
      const response = await call(path, { signal, headers: { Accept: 'text/event-stream', ...known } });
      connected?.(true);
      for await (const found of eventsOf(response)) {
        delay = FIRST_DELAY_MS;
        lastId = found.id ?? lastId;
        complete ||= found.name === 'complete';
        event(found);
      }
    } catch (error) {
      const problem = asProblem(error);
      if (problem.isAbort || signal.aborted) return;
      if (problem.status >= 400 && problem.status < 500 && problem.status !== 429) throw problem;
    }
    if (complete || signal.aborted) return;
    connected?.(false);
    await pause(delay, signal);
    delay = Math.min(delay * 2, LONGEST_DELAY_MS);
  }
}

/** Splits a stream of events (HTML, 9.2.6). */
async function* eventsOf(response: Response): AsyncGenerator<ServerEvent> {
  if (response.body === null) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const blocks = (rest + part.value).replaceAll('\r\n', '\n').split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const lines = block.split('\n');
      const values = (field: string): string[] =>
        lines
          .filter((line) => line.startsWith(`${field}:`))
          .map((line) => line.slice(field.length + 1).replace(/^ /, ''));
      const data = values('data');
      if (data.length > 0) yield { name: values('event')[0] ?? 'message', data: data.join('\n'), id: values('id')[0] };
    }
  }
}
