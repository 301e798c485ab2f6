import { expect } from 'chai';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestServerOptions } from '@quire/core';
import { makePdf } from '../../kit/make-pdf.js';
import { expectProblem, field, file, json, post, send, type Answer } from '../support/client.js';
import { sessionOf, startWithLogin } from '../support/login.js';
import { quiet, startServer, until, type TestServer } from '../support/server.js';
import { callerOf, type Caller } from '../support/storage.js';

const health = {
  management: {
    endpoints: { web: { exposure: { include: ['health'] } } },
    endpoint: { health: { 'show-details': 'always' } },
  },
};

/** A call that lasts until its client leaves. */
interface Held {
  /** True once a worker runs it. */
  running(): boolean;
  leave(): void;
  readonly answer: Promise<Answer | undefined>;
}

/** A server whose calls can be held by their clients. */
class HeldCalls {
  readonly #marks = mkdtempSync(join(tmpdir(), 'quire-turns-'));
  readonly #held: Held[] = [];
  #count = 0;
  #pdf: Uint8Array | undefined;

  constructor(readonly server: TestServer) {}

  /** Starts a call that sleeps until its client leaves. */
  async hold(caller: Caller): Promise<Held> {
    const mark = join(this.#marks, String((this.#count += 1)));
    const client = new AbortController();
    const parts = [file(await this.pdf()), field('ms', '600000'), field('mark', mark)];
    const answer = post(`${this.server.url}/api/v1/misc/unruly-slow`, parts, caller, client.signal).catch(
      () => undefined,
    );
    const held: Held = { running: () => existsSync(mark), leave: () => client.abort(), answer };
    this.#held.push(held);
    return held;
  }

  async rotate(caller: Caller): Promise<Answer> {
    return post(`${this.server.url}/api/v1/general/rotate-pdf`, [file(await this.pdf())], caller);
  }

  /** Waits until so many calls wait for a worker. */
  waiting(count: number): Promise<void> {
    return until(`${count} calls wait`, async () => {
      const answer = json<{ components: { queue: { details: { queued: number } } } }>(
        await send(`${this.server.url}/actuator/health`),
      );
      return answer.components.queue.details.queued === count;
    });
  }

  /** Starts a call and waits until it is in the queue behind `before` others. */
  async line(caller: Caller, before: number): Promise<Held> {
    const held = await this.hold(caller);
    await this.waiting(before + 1);
    return held;
  }

  async stop(): Promise<void> {
    for (const { leave } of this.#held) leave();
    await Promise.all(this.#held.map(({ answer }) => answer));
    await quiet(this.server);
    await this.server.stop();
    rmSync(this.#marks, { recursive: true, force: true });
  }

  async pdf(): Promise<Uint8Array> {
    return (this.#pdf ??= await makePdf({ pages: 1 }));
  }
}

async function withUsers(
  limits: Readonly<Record<string, number>>,
  work: (calls: HeldCalls, ann: Caller, bob: Caller) => Promise<void>,
): Promise<void> {
  const calls = new HeldCalls(await startWithLogin({}, { ...health, limits }));
  try {
    const boss = await sessionOf(calls.server);
    const [ann, bob] = [await callerOf(calls.server, boss, 'ann'), await callerOf(calls.server, boss, 'bob')];
    await work(calls, ann, bob);
  } finally {
    await calls.stop();
  }
}

describe('Calls of several users', function severalUsers() {
  this.timeout(90_000);

  it('are answered although the slow calls of another user fill the queue', () =>
    withUsers({ workers: 2 }, async (calls, ann, bob) => {
      const slow = await Promise.all(Array.from({ length: 6 }, () => calls.hold(ann)));
      await until('one of them runs', () => slow.some((one) => one.running()));
      await calls.waiting(5);
      for (let n = 0; n < 3; n++) expect((await calls.rotate(bob)).status).to.equal(200);
      expect(slow.filter((one) => one.running())).to.have.length(1);
    }));

  it('take turns when they wait for the same worker', () =>
    withUsers({ workers: 1 }, async (calls, ann, bob) => {
      const first = await calls.hold(ann);
      await until('the first runs', () => first.running());
      const anns = [await calls.line(ann, 0), await calls.line(ann, 1), await calls.line(ann, 2)];
      const bobs = [await calls.line(bob, 3), await calls.line(bob, 4)];
      const order: string[] = [];
      for (let [running, left] = [first, 5]; left > 0; left--) {
        running.leave();
        const waiting = [...anns, ...bobs].filter((one) => one !== running && !order.includes(nameOf(one)));
        await until('the next runs', () => waiting.some((one) => one.running()));
        running = waiting.find((one) => one.running()) ?? running;
        order.push(nameOf(running));
      }
      function nameOf(one: Held): string {
        return anns.includes(one) ? `ann ${anns.indexOf(one)}` : `bob ${bobs.indexOf(one)}`;
      }
      expect(order).to.deep.equal(['bob 0', 'ann 0', 'bob 1', 'ann 1', 'ann 2']);
    }));

  it('find a place in a full queue, which the user with the most calls loses', () =>
    withUsers({ workers: 1, queueLength: 2 }, async (calls, ann, bob) => {
      const first = await calls.hold(ann);
      await until('the first runs', () => first.running());
      await calls.line(ann, 0);
      const last = await calls.line(ann, 1);
      const rotated = calls.rotate(bob);
      const refused = await last.answer;
      if (refused === undefined) throw new Error('the call ended without an answer');
      expectProblem(refused, 429, 'QUEUE_FULL');
      first.leave();
      expect((await rotated).status).to.equal(200);
    }));
});

describe('Calls without login', function withoutLogin() {
  this.timeout(90_000);

  it('take turns by the address of the client', async () => {
    const settings: TestServerOptions['settings'] = {
      ...health,
      server: { port: 0, host: '127.0.0.1', trustedProxies: ['127.0.0.1'] },
      limits: { workers: 2 },
    };
    const calls = new HeldCalls(await startServer(settings));
    try {
      const from = (address: string): Caller => ({ 'x-forwarded-for': address });
      const slow = await Promise.all(Array.from({ length: 4 }, () => calls.hold(from('192.0.2.1'))));
      await until('one of them runs', () => slow.some((one) => one.running()));
      await calls.waiting(3);
      expect((await calls.rotate(from('192.0.2.2'))).status).to.equal(200);
    } finally {
      await calls.stop();
    }
  });
});
