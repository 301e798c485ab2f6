import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Principal } from '@quire/registry';
import { expect } from 'chai';
import { openStore, type Store } from '../store/index.js';
import { limitedAllowance, unlimitedAllowance, type AllowanceRecord } from './allowance.js';
import { Gate } from './concurrency.js';

const caller = (via: Principal['via']): Principal => ({ id: 'u', name: 'u', role: 'user', via });
const codeOf = (act: Promise<unknown>): Promise<string> => act.then(() => 'passed', (error: { code?: string }) => error.code ?? String(error));

describe('A gate', () => {
  it('lets its number of callers in and the others in their order', async () => {
    const gate = new Gate(1);
    const signal = new AbortController().signal;
    const order: string[] = [];
    const leave = await gate.enter(signal);
    const second = gate.enter(signal).then((go) => (order.push('second'), go));
    const third = gate.enter(signal).then((go) => (order.push('third'), go));
    expect(gate.waiting).to.equal(2);
    leave();
    (await second)();
    (await third)();
    expect(order).to.deep.equal(['second', 'third']);
  });

  it('frees a place once, however often it is left', async () => {
    const gate = new Gate(1);
    const signal = new AbortController().signal;
    const leave = await gate.enter(signal);
    leave();
    leave();
    await gate.enter(signal);
    let entered = false;
    void gate.enter(signal).then(() => (entered = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(entered).to.equal(false);
  });

  it('refuses more callers than may wait', async () => {
    const gate = new Gate(1, 1);
    const { signal } = new AbortController();
    await gate.enter(signal);
    void gate.enter(signal);
    expect(await codeOf(gate.enter(signal))).to.equal('QUEUE_FULL');
  });

  it('lets a caller go that no longer wants to wait', async () => {
    const gate = new Gate(1);
    await gate.enter(new AbortController().signal);
    const abort = new AbortController();
    const waiting = codeOf(gate.enter(abort.signal));
    abort.abort(Object.assign(new Error('gone'), { code: 'CANCELLED' }));
    expect(await waiting).to.equal('CANCELLED');
    expect(gate.waiting).to.equal(0);
  });
});

describe('The allowance', () => {
  let folder: string;
  let store: Store;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-allowance-'));
    store = await openStore({ kind: 'embedded', folder });
  });
  after(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('meters nothing as shipped', async () => {
    for (let i = 0; i < 100; i++) await unlimitedAllowance.charge(caller('key'), 1, 'route');
  });

  it('refuses the call that goes beyond it, and charges nothing for that call', async () => {
    const allowance = limitedAllowance(store.records<AllowanceRecord>('one'), 2, 'selfHosted');
    await allowance.charge(caller('key'), 1, 'route');
    await allowance.charge(caller('key'), 1, 'route');
    expect(await codeOf(allowance.charge(caller('key'), 1, 'route'))).to.equal('ACCOUNT_LINK_REQUIRED');
    expect((await store.records<AllowanceRecord>('one').get('server'))?.used).to.equal(2);
  });

  it('gives back what a failed call was charged', async () => {
    const allowance = limitedAllowance(store.records<AllowanceRecord>('two'), 1, 'cloud');
    const { refund } = await allowance.charge(caller('key'), 1, 'route');
    expect(await codeOf(allowance.charge(caller('key'), 1, 'route'))).to.equal('PAYG_LIMIT_REACHED');
    await refund();
    expect(await codeOf(allowance.charge(caller('key'), 1, 'route'))).to.equal('passed');
  });

  it('charges people in the browser nothing, and pipeline steps always', async () => {
    const allowance = limitedAllowance(store.records<AllowanceRecord>('three'), 0, 'selfHosted');
    expect(await codeOf(allowance.charge(caller('session'), 1, 'route'))).to.equal('passed');
    expect(await codeOf(allowance.charge(caller('session'), 1, 'pipeline'))).to.equal('ACCOUNT_LINK_REQUIRED');
  });
});
