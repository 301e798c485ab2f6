import { randomBytes } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isQuireError, type QuireError } from '@quire/registry';
import { expect } from 'chai';
import { HandClock, MemoryAccounts, keptLog } from '../../../test/suites/memory-accounts.js';
import { temporaryEmbeddedStore, type TemporaryStore } from '../../../test/suites/temporary-store.js';
import type { Identified, RecordsOptions, Store } from '../../store/index.js';
import { ServerSecret } from '../../secrets/index.js';
import { API_USER } from '../model.js';
import { KeyService } from './key-service.js';

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return isQuireError(error) ? (error as QuireError).code : `no refusal: ${String(error)}`;
};

describe('API keys', () => {
  let temporary: TemporaryStore;
  let store: Store;
  let accounts: MemoryAccounts;
  let clock: HandClock;
  let keys: KeyService;
  const secret = new ServerSecret(randomBytes(32));
  const log = keptLog();
  const another = (on: Pick<Store, 'records'> = store): KeyService =>
    new KeyService({ store: on, accounts, secret, clock, log });
  const ownerOf = async (key: string): Promise<string | undefined> => (await keys.find(key))?.user.username;

  beforeEach(async () => {
    temporary = await temporaryEmbeddedStore();
    store = await temporary.open();
    accounts = new MemoryAccounts();
    accounts.add();
    accounts.add();
    clock = new HandClock();
    keys = another();
  });
  afterEach(async () => {
    await keys.close();
    await store.close();
    await temporary.remove();
  });

  it('can be read again by their owner if they are the main key, and only then', async () => {
    const key = await keys.single('1');
    expect(key).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(await keys.single('1')).to.equal(key);
    expect(await another().single('1'), 'after a restart').to.equal(key);
    expect(await keys.single('2')).not.to.equal(key);
    expect(await ownerOf(key)).to.equal('user1');
  });

  it('of the built-in user are not accepted, so that none outlives a change of the global key', async () => {
    const { id } = accounts.add({ username: API_USER, role: 'ROLE_BACKEND_API_USER' });
    expect(await ownerOf(await keys.single(id))).to.equal(undefined);
    expect(await ownerOf((await keys.create(id, 'from an earlier version')).secret)).to.equal(undefined);
  });

  it('are one single main key when many calls create it at once', async () => {
    expect(new Set(await Promise.all(Array.from({ length: 10 }, () => keys.single('1')))).size).to.equal(1);
    const renewed = await Promise.all(Array.from({ length: 5 }, () => keys.renewSingle('1')));
    const alive = (await Promise.all(renewed.map(ownerOf))).filter((owner) => owner !== undefined);
    expect(alive).to.deep.equal(['user1']);
  });

  it('stop working at once when they are replaced or revoked', async () => {
    const first = await keys.single('1');
    expect(await ownerOf(first)).to.equal('user1');
    const second = await keys.renewSingle('1');
    expect([await ownerOf(first), await ownerOf(second)]).to.deep.equal([undefined, 'user1']);
    const named = await keys.create('1', 'build');
    expect(await ownerOf(named.secret)).to.equal('user1');
    await keys.revoke('1', named.key.id);
    expect(await ownerOf(named.secret)).to.equal(undefined);
    expect((await keys.list('1')).map(({ name, status }) => [name, status])).to.deep.equal([
      ['Default key', 'active'],
      ['build', 'revoked'],
    ]);
  });

  it('stop working within five seconds on other servers of the store', async () => {
    const { key, secret: text } = await keys.create('1', 'shared');
    expect(await ownerOf(text)).to.equal('user1');
    await another().revoke('1', key.id);
    clock.forward(5.001);
    expect(await ownerOf(text)).to.equal(undefined);
  });

  it('stop working when their owner is disabled here, disabled elsewhere or deleted', async () => {
    const [first, second] = [await keys.single('1'), await keys.single('2')];
    expect([await ownerOf(first), await ownerOf(second)]).to.deep.equal(['user1', 'user2']);
    await accounts.change('1', { enabled: false });
    expect(await ownerOf(first)).to.equal(undefined);
    await accounts.change('1', { enabled: true });
    expect(await ownerOf(first)).to.equal('user1');
    await accounts.change('2', { enabled: false }, true);
    clock.forward(5.001);
    expect(await ownerOf(second)).to.equal(undefined);
    await accounts.remove('1');
    expect(await ownerOf(first)).to.equal(undefined);
    expect(await keys.list('1')).to.deep.equal([]);
  });

  it('are shown once if they are named, and limited to fifty', async () => {
    const { key, secret: text } = await keys.create('1', 'build server');
    expect(text).to.match(/^sk_[0-9a-f]{40}$/);
    expect(key).to.deep.equal({
      id: key.id,
      name: 'build server',
      prefix: text.slice(0, 11),
      created: '2026-06-15',
      lastUsed: 'Never',
      status: 'active',
      expires: 'Never',
      categories: null,
      readOnly: false,
      usageToday: 0,
      usageMonth: 0,
      usageTotal: 0,
    });
    expect(JSON.stringify(await keys.list('1'))).not.to.contain(text);
    for (let i = 1; i < 50; i += 1) await keys.create('1', `key ${i}`);
    expect(await codeOf(keys.create('1', 'one too many'))).to.equal('KEY_LIMIT');
    await keys.revoke('1', key.id);
    await keys.create('1', 'in its place');
    expect((await keys.list('2')).length, "another user's list").to.equal(0);
    await keys.create('2', 'of another user');
  });

  it('of other users get the same error as keys that do not exist', async () => {
    const { key, secret: text } = await keys.create('1', 'mine');
    expect(await codeOf(keys.revoke('2', key.id))).to.equal('NOT_FOUND');
    expect(await codeOf(keys.revoke('2', 'nothing'))).to.equal('NOT_FOUND');
    expect(await ownerOf(text)).to.equal('user1');
  });

  it('are found only by the whole key', async () => {
    const key = await keys.single('1');
    for (const wrong of [
      '',
      key.slice(0, -1),
      `${key} `,
      ` ${key}`,
      `${key}, ${key}`,
      key.toUpperCase(),
      key.replaceAll('-', ''),
      'a'.repeat(1_000_000),
    ])
      expect(await ownerOf(wrong), wrong.slice(0, 80)).to.equal(undefined);
  });

  it('are looked up by digest alone, so that no response time depends on a key', async () => {
    const asked: string[] = [];
    const watched: Pick<Store, 'records'> = {
      records: <T extends Identified>(name: string, options?: RecordsOptions) => {
        const records = store.records<T>(name, options);
        return new Proxy(records, {
          get: (target, member) => {
            const value: unknown = Reflect.get(target, member);
            if (typeof value !== 'function') return value;
            return (...args: unknown[]) => {
              asked.push(`${name} ${String(member)} ${JSON.stringify(args)}`);
              return (value as (...args: unknown[]) => unknown).apply(target, args);
            };
          },
        });
      },
    };
    const service = another(watched);
    const key = await keys.single('1');
    for (const guess of [key, `${key.slice(0, -1)}x`, 'x']) await service.find(guess);
    expect(asked).to.have.length(3);
    for (const line of asked) {
      expect(line).to.match(/^api_keys findOne \[\{"digest":"[\w-]{43}"\}\]$/);
      expect(line).not.to.contain(key.slice(0, 8));
    }
  });

  it('are not readable on disk', async () => {
    const texts = [await keys.single('1'), await keys.renewSingle('1'), (await keys.create('1', 'canary')).secret];
    for (const text of texts) await keys.find(text);
    await store.close();
    for (const entry of readdirSync(temporary.folder ?? '', { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const bytes = readFileSync(join(entry.parentPath, entry.name));
      for (const text of texts) expect(bytes.includes(text), entry.name).to.equal(false);
    }
    expect(log.lines.join('\n')).not.to.contain(texts[0]);
    store = await temporary.open();
  });

  it('count their use: today, over thirty days, in all, and across a restart', async () => {
    const { key } = await keys.create('1', 'counted');
    const usage = async (service = keys): Promise<unknown[]> =>
      (await service.list('1')).map(({ usageToday, usageMonth, usageTotal, lastUsed }) => [
        usageToday,
        usageMonth,
        usageTotal,
        lastUsed,
      ])[0] ?? [];
    for (let i = 0; i < 3; i += 1) keys.used(key.id);
    expect(await usage(), 'before anything is written').to.deep.equal([3, 3, 3, '2026-06-15 12:00']);
    await keys.close();
    expect(await usage(another()), 'after a restart').to.deep.equal([3, 3, 3, '2026-06-15 12:00']);
    clock.forward(86_400);
    keys.used(key.id);
    expect(await usage()).to.deep.equal([1, 4, 4, '2026-06-16 12:00']);
    clock.forward(29 * 86_400);
    keys.used(key.id);
    await keys.close();
    expect(await usage()).to.deep.equal([1, 2, 5, '2026-07-15 12:00']);
  });

  it('count together on servers that share the store', async () => {
    const { key } = await keys.create('1', 'shared');
    const others = [another(), another(), another()];
    for (const service of others) for (let i = 0; i < 7; i += 1) service.used(key.id);
    await Promise.all(others.map((service) => service.close()));
    expect((await keys.list('1'))[0]).to.include({ usageToday: 21, usageTotal: 21 });
  });

  it('lose no count while the store is unreachable', async () => {
    let away = true;
    const flaky: Pick<Store, 'records'> = {
      records: <T extends Identified>(name: string, options?: RecordsOptions) =>
        new Proxy(store.records<T>(name, options), {
          get: (target, member) =>
            member === 'update' && away
              ? () => Promise.reject(new Error('away'))
              : (Reflect.get(target, member) as () => unknown).bind(target),
        }),
    };
    const { key } = await keys.create('1', 'patient');
    const service = another(flaky);
    service.used(key.id);
    await service.close();
    service.used(key.id);
    away = false;
    await service.close();
    expect((await keys.list('1'))[0]).to.include({ usageToday: 2, usageMonth: 2, usageTotal: 2 });
  });

  it('stop working at their end, and no longer count as active', async () => {
    const { key, secret: text } = await keys.create('1', 'short', { expiresInDays: 1, categories: ['general'] });
    expect(key).to.deep.include({ status: 'active', expires: '2026-06-16 12:00', categories: ['general'] });
    expect((await keys.find(text))?.scope).to.deep.equal({ categories: ['general'] });
    for (let i = 1; i < 50; i += 1) await keys.create('1', `key ${i}`);
    clock.forward(86_400 - 1);
    expect(await keys.find(text)).not.to.equal(undefined);
    clock.forward(1);
    expect(await keys.find(text), 'also from the cache').to.equal(undefined);
    expect((await keys.list('1')).find(({ name }) => name === 'short')).to.include({ status: 'expired' });
    await keys.create('1', 'in its place');
    expect(await codeOf(keys.create('1', 'one too many'))).to.equal('KEY_LIMIT');
  });
});
