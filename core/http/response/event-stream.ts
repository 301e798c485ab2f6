import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * Milliseconds of silence after which a comment is sent: proxies cut connections that are silent for a minute (HTML,
 * 9.2.7, advises 15 seconds).
 */
const QUIET_MS = 15_000;

/** One server-sent event; its data is sent as JSON. */
export interface NamedEvent {
  readonly event: string;
  readonly data: object;
  /** Comes back as `Last-Event-ID` when the client connects again; one line. */
  readonly id?: string;
}

/** Returns a body of server-sent events, one for each record: `progress`, and `complete` for the last. */
export function eventStream<T extends object>(
  records: AsyncIterable<T>,
  signal: AbortSignal,
  quietMs = QUIET_MS,
): Readable {
  return namedEventStream(named(records), signal, quietMs);
}

async function* named<T extends object>(records: AsyncIterable<T>): AsyncGenerator<NamedEvent> {
  for await (const data of records) yield { event: isComplete(data) ? 'complete' : 'progress', data };
}

/** Returns a body of server-sent events. Sends comments while there is no news. */
export function namedEventStream(events: AsyncIterable<NamedEvent>, signal: AbortSignal, quietMs = QUIET_MS): Readable {
  async function* lines(): AsyncGenerator<string> {
    const source = events[Symbol.asyncIterator]();
    let next = source.next();
    try {
      while (!signal.aborted) {
        const timer = new AbortController();
        const found = await Promise.race([
          next,
          wait(quietMs, undefined, { signal: timer.signal, ref: false }),
        ]).finally(() => timer.abort());
        if (found === undefined) yield ':\n\n';
        else if (found.done === true) return;
        else {
          yield lineOf(found.value);
          next = source.next();
        }
      }
    } finally {
      // Nobody waits for the pending event any more; the same signal ends its source.
      next.catch(() => undefined);
      void source.return?.().catch(() => undefined);
    }
  }
  const body = Readable.from(lines(), { objectMode: false });
  signal.addEventListener('abort', () => body.destroy(), { once: true });
  return body;
}

function lineOf({ event, id, data }: NamedEvent): string {
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
}

function isComplete(record: object): boolean {
  return 'complete' in record && record.complete === true;
}
