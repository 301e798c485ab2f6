import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * Milliseconds of silence after which a comment is sent: proxies cut connections that are silent for a minute (HTML,
 * 9.2.7, advises 15 seconds).
 */
const QUIET_MS = 15_000;

/**
 * Returns a body of server-sent events, one for each record: `progress`, and `complete` for the last. Sends comments
 * while there is no news.
 */
export function eventStream<T extends object>(
  records: AsyncIterable<T>,
  signal: AbortSignal,
  quietMs = QUIET_MS,
): Readable {
  async function* lines(): AsyncGenerator<string> {
    const source = records[Symbol.asyncIterator]();
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
          yield `event: ${isComplete(found.value) ? 'complete' : 'progress'}\ndata: ${JSON.stringify(found.value)}\n\n`;
          next = source.next();
        }
      }
    } finally {
      // Nobody waits for the pending record any more; the same signal ends its source.
      next.catch(() => undefined);
      void source.return?.().catch(() => undefined);
    }
  }
  const body = Readable.from(lines(), { objectMode: false });
  signal.addEventListener('abort', () => body.destroy(), { once: true });
  return body;
}

function isComplete(record: object): boolean {
  return 'complete' in record && record.complete === true;
}
