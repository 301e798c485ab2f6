import { expect } from 'chai';
import { createHmac } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '@quire/registry';
import { codeOf } from '../../../../test/suites/code-of.js';
import { contextForTest, describeSource, listed, validated } from '../../../../test/suites/connectors.js';
import { describeStores, temporaryEmbeddedStore } from '../../../../test/suites/temporary-store.js';
import { OperationalError } from '@quire/registry';
import {
  DuplicateRecord,
  type Identified,
  type Records,
  type RecordsOptions,
  type Store,
} from '../../../store/index.js';
import { webhookSource } from './webhook-source.js';
import { WebhookSpool } from './webhook-spool.js';
import { verifyDelivery, type Headers } from './delivery-signature.js';

const NOW = new Date('2026-01-31T10:00:00Z');
const SECONDS = NOW.getTime() / 1000;
const SECRET = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ';
const BODY = Buffer.from('%PDF-1.7 the body');
const WEBHOOK = { webhookId: 'webhook-of-ann-0001', signingSecret: SECRET };

/** A spool that tests fill as the endpoint does. */
async function spooled(make = temporaryEmbeddedStore) {
  const temporary = await make();
  const store = await temporary.open();
  const folder = await mkdtemp(join(tmpdir(), 'quire-spool-'));
  let now = NOW.getTime();
  let count = 0;
  const clock: Clock = { now: () => new Date(now) };
  const spool = new WebhookSpool(store, clock);
  return {
    store,
    spool,
    later: (ms: number) => void (now += ms),
    keep: async (
      name: string,
      content: Buffer,
      messageId?: string,
      webhookId = WEBHOOK.webhookId,
    ): Promise<boolean> => {
      const path = join(folder, String(count++));
      await writeFile(path, content);
      return spool.keep({ webhookId, messageId, name, size: content.length, path });
    },
    close: async () => {
      await store.close();
      await temporary.remove();
      await rm(folder, { recursive: true });
    },
  };
}

describe('a webhook whose store does not answer while a delivery is kept', () => {
  const content = async (spool: WebhookSpool): Promise<string | undefined> => {
    const [file] = await spool.waiting(WEBHOOK.webhookId);
    const opened = file === undefined ? undefined : await spool.open(file.id);
    if (opened === undefined) return undefined;
    const chunks: Buffer[] = [];
    for await (const chunk of opened.stream) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString();
  };

  /** Inserts are written, and then end with this error. */
  const insertsEndingWith = (error: () => Error) => async () => {
    const temporary = await temporaryEmbeddedStore();
    const open = async (): Promise<Store> => {
      const store = await temporary.open();
      let isFirst = true;
      return {
        ...store,
        records: <T extends Identified>(name: string, options?: RecordsOptions): Records<T> => {
          const records = store.records<T>(name, options);
          return new Proxy(records, {
            get: (target, member) => {
              const found: unknown = Reflect.get(target, member, target);
              if (typeof found !== 'function') return found;
              if (member !== 'insert' || !isFirst) return found.bind(target);
              isFirst = false;
              return async (record: T) => {
                await target.insert(record);
                throw error();
              };
            },
          });
        },
      };
    };
    return { ...temporary, open };
  };

  it('has the content when the sender tries again, although the first attempt was refused', async () => {
    const made = await spooled(insertsEndingWith(() => new OperationalError('STORE_DOWN')));
    try {
      expect(await codeOf(made.keep('a.pdf', BODY, 'msg-1'))).to.equal('STORE_DOWN');
      expect(await made.keep('a.pdf', BODY, 'msg-1')).to.equal(false);
      expect(await content(made.spool)).to.equal(BODY.toString());
    } finally {
      await made.close();
    }
  });

  it('knows its own record again, which an attempt that was repeated by the driver of the store has met', async () => {
    const made = await spooled(insertsEndingWith(() => new DuplicateRecord('webhook_files')));
    try {
      expect(await made.keep('a.pdf', BODY, 'msg-1')).to.equal(true);
      expect(await content(made.spool)).to.equal(BODY.toString());
    } finally {
      await made.close();
    }
  });
});

describeSource(
  'webhook',
  async () => {
    const made = await spooled();
    let away = false;
    const unavailable = new Proxy(made.spool, {
      get: () => () => Promise.reject(new OperationalError('STORE_DOWN')),
    });
    return {
      get kind() {
        return webhookSource({ spool: away ? unavailable : made.spool });
      },
      options: WEBHOOK,
      put: async (name, content) => void (await made.keep(name, content)),
      names: async () => (await made.spool.waiting(WEBHOOK.webhookId)).map(({ name }) => name).sort(),
      breakDown: async () => void (away = true),
      blamed: '',
      close: made.close,
    };
  },
  { changes: false },
);

describeStores('Deliveries to webhooks', (make) => {
  let made: Awaited<ReturnType<typeof spooled>>;
  beforeEach(async () => {
    made = await spooled(make);
  });
  afterEach(() => made.close());
  const waiting = async (): Promise<string[]> => (await made.spool.waiting(WEBHOOK.webhookId)).map(({ name }) => name);
  const blobs = async (): Promise<number> => {
    let count = 0;
    for await (const _ of made.store.blobs.area('webhooks').list()) count += 1;
    return count;
  };

  it('are kept once for each id of a message, also after they were taken and at the same time', async () => {
    expect(await made.keep('a.pdf', BODY, 'msg_1')).to.equal(true);
    expect(await made.keep('a.pdf', BODY, 'msg_1')).to.equal(false);
    const [file] = await made.spool.waiting(WEBHOOK.webhookId);
    await made.spool.take(file?.id ?? '');
    expect(await made.keep('a.pdf', BODY, 'msg_1')).to.equal(false);
    expect([await waiting(), await blobs()]).to.deep.equal([[], 0]);
    const both = await Promise.all([made.keep('b.pdf', BODY, 'msg_2'), made.keep('b.pdf', BODY, 'msg_2')]);
    expect(both.sort()).to.deep.equal([false, true]);
    expect([await waiting(), await blobs()]).to.deep.equal([['b.pdf'], 1]);
    expect(await made.keep('c.pdf', BODY, 'msg_1', 'webhook-of-bob-0001'), 'of another webhook').to.equal(true);
  });

  it('are reported to the source, and those of others are not', async () => {
    const kind = webhookSource(made);
    const source = await kind.open(validated(kind, WEBHOOK), contextForTest());
    let arrivals = 0;
    const watch = await source.watch?.(() => void (arrivals += 1));
    await made.keep('a.pdf', BODY);
    await made.keep('b.pdf', BODY, undefined, 'webhook-of-bob-0001');
    await watch?.stop();
    await made.keep('c.pdf', BODY);
    expect(arrivals).to.equal(1);
    expect((await listed(source)).map(({ name }) => name)).to.deep.equal(['a.pdf', 'c.pdf']);
  });

  it('are removed with their webhook, and so is content that a crash has left', async () => {
    await made.keep('a.pdf', BODY);
    await made.keep('b.pdf', BODY, undefined, 'webhook-of-bob-0001');
    await made.store.blobs.area('webhooks').put(import.meta.filename);
    made.later(2 * 3_600_000 + Date.now() - NOW.getTime());
    expect(await made.spool.sweep(async (id) => id === WEBHOOK.webhookId)).to.equal(2);
    expect([await waiting(), await blobs()]).to.deep.equal([['a.pdf'], 1]);
  });
});

describe('The options of a webhook', () => {
  it('are made by the server: an id that nobody guesses and a key that every library reads', () => {
    const kind = webhookSource({ spool: {} as WebhookSpool });
    const [one, other] = [kind.make(), kind.make()];
    expect(one['webhookId']).to.match(/^[A-Za-z0-9_-]{24}$/);
    expect(one['signingSecret']).to.match(/^[A-Za-z0-9]{43}$/);
    expect(Object.values(one)).not.to.include.members(Object.values(other));
  });
});

describe('The signature of a delivery', () => {
  const rules = { secret: SECRET, signature: 'any', now: NOW } as const;
  const verdict = async (headers: Headers, more: object = {}, body = BODY): Promise<string> =>
    codeOf(verifyDelivery(headers, () => bodyOf(body), { ...rules, ...more }));
  async function* bodyOf(body: Buffer): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < body.length; at += 5) yield body.subarray(at, at + 5);
  }
  const plain = (body = BODY, secret = SECRET): string => createHmac('sha256', secret).update(body).digest('hex');
  const standard = (seconds = SECONDS, key = Buffer.from(SECRET, 'base64')): Headers => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${createHmac('sha256', key).update(`msg_1.${seconds}.`).update(BODY).digest('base64')}`,
  });

  it('is X-Signature, with or without its prefix, in any case', async () => {
    for (const value of [plain(), `sha256=${plain()}`, `SHA256=${plain().toUpperCase()}`])
      expect(await verdict({ 'x-signature': value })).to.equal('none');
    for (const value of ['', 'sha256=', plain().slice(1), plain(Buffer.from('other')), plain(BODY, 'other')])
      expect(await verdict({ 'x-signature': value }), value).to.equal('WEBHOOK_SIGNATURE');
    expect(await verdict({})).to.equal('WEBHOOK_SIGNATURE');
    expect(await verdict({ 'x-signature': plain() }, { signature: 'standard' })).to.equal('WEBHOOK_SIGNATURE');
  });

  it('is the one of Standard Webhooks, and gives the id of the message', async () => {
    expect(await verifyDelivery(standard(), () => bodyOf(BODY), rules)).to.equal('msg_1');
    const several = { ...standard(), 'webhook-signature': `v1,AAAA v2,x ${standard()['webhook-signature'] ?? ''}` };
    expect(await verdict(several)).to.equal('none');
    const key = Buffer.alloc(32, 1);
    const secret = `whsec_${key.toString('base64')}`;
    expect(await verdict(standard(SECONDS, key), { secret })).to.equal('none');
  });

  it('is refused when it is too old, from the future, of another message, or incomplete', async () => {
    expect(await verdict(standard(SECONDS - 300))).to.equal('none');
    for (const headers of [
      standard(SECONDS - 301),
      standard(SECONDS + 301),
      { ...standard(), 'webhook-id': 'msg_2' },
      { ...standard(), 'webhook-id': undefined },
      { ...standard(), 'webhook-timestamp': 'now' },
      { ...standard(), 'webhook-signature': 'v1,' },
      { ...standard(SECONDS, Buffer.alloc(32)), 'x-signature': plain() },
    ])
      expect(await verdict(headers), JSON.stringify(headers)).to.equal('WEBHOOK_SIGNATURE');
    expect(await verdict(standard(), {}, Buffer.from('other'))).to.equal('WEBHOOK_SIGNATURE');
  });
});
