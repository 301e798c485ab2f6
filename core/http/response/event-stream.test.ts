import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { eventStream } from './event-stream.js';

async function* told(
  ...steps: readonly { readonly after: number; readonly complete: boolean }[]
): AsyncGenerator<{ complete: boolean }> {
  for (const { after, complete } of steps) {
    await wait(after);
    yield { complete };
  }
}

describe('a stream of events', () => {
  it('sends each record, and a comment while there is none', async () => {
    const parts = (await eventStream(
      told({ after: 0, complete: false }, { after: 110, complete: true }),
      new AbortController().signal,
      40,
    ).toArray()) as Buffer[];
    const text = parts.map(String);
    expect([text[0], text.at(-1)]).to.deep.equal([
      'event: progress\ndata: {"complete":false}\n\n',
      'event: complete\ndata: {"complete":true}\n\n',
    ]);
    expect(text.slice(1, -1)).to.have.length.within(1, 3);
    expect(new Set(text.slice(1, -1))).to.deep.equal(new Set([':\n\n']));
  });

  it('loses no record that arrives just as a wait ends', async () => {
    const steps = Array.from({ length: 20 }, (_, i) => ({ after: 10, complete: i === 19 }));
    const text = String(
      Buffer.concat((await eventStream(told(...steps), new AbortController().signal, 10).toArray()) as Buffer[]),
    );
    expect(text.split('event: ')).to.have.length(21);
  });

  it('passes on a failure of its source', async () => {
    async function* failing(): AsyncGenerator<{ complete: boolean }> {
      yield { complete: false };
      throw new Error('the store is down');
    }
    const failed = await eventStream(failing(), new AbortController().signal)
      .toArray()
      .then(
        () => '',
        (error: Error) => error.message,
      );
    expect(failed).to.equal('the store is down');
  });

  it('ends when the listener disconnects', async () => {
    const leaving = new AbortController();
    const body = eventStream(told({ after: 0, complete: false }, { after: 60_000, complete: true }), leaving.signal);
    const ended = new Promise((resolve) => body.once('close', resolve));
    body.once('data', () => leaving.abort());
    await ended;
    expect(body.destroyed).to.equal(true);
  });
});
