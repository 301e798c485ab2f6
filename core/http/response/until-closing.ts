import { Readable } from 'node:stream';
import type { Server } from '@hapi/hapi';

/**
 * Ends a stream when the server stops listening. One that follows what happens has no end of its own, and a server
 * waits for running answers; its client asks again.
 */
export function untilClosing({ events }: Pick<Server, 'events'>, body: AsyncIterable<unknown>): Readable {
  async function* parts(): AsyncGenerator<unknown> {
    const source = body[Symbol.asyncIterator]();
    let close = (): void => undefined;
    const closing = new Promise<undefined>((resolve) => (close = () => resolve(undefined)));
    events.on('closing', close);
    try {
      for (;;) {
        const next = await Promise.race([source.next(), closing]);
        if (next === undefined || next.done === true) return;
        yield next.value;
      }
    } finally {
      events.removeListener('closing', close);
      void source.return?.().catch(() => undefined);
    }
  }
  return Readable.from(parts(), { objectMode: false });
}
