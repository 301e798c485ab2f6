import { expect } from 'chai';
import { Gate } from './gate.js';
import { onBehalfOf } from './owner.js';

const codeOf = (act: Promise<unknown>): Promise<string> =>
  act.then(
    () => 'passed',
    (error: { code?: string }) => error.code ?? String(error),
  );

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

  it('gives the owners of callers turns', async () => {
    const gate = new Gate(1);
    const order: string[] = [];
    const enter = (owner: string): Promise<unknown> =>
      onBehalfOf(owner, () => gate.enter()).then((leave) => {
        order.push(owner);
        leave();
      });
    const leave = await onBehalfOf('a', () => gate.enter());
    const all = ['a', 'a', 'a', 'b', 'c', 'b'].map(enter);
    leave();
    await Promise.all(all);
    expect(order.slice(0, 3)).to.have.members(['a', 'b', 'c']);
  });

  it('refuses a caller of the owner with the most when another owner comes to a full line', async () => {
    const gate = new Gate(1, 2);
    const leave = await onBehalfOf('a', () => gate.enter());
    const first = onBehalfOf('a', () => gate.enter());
    const second = codeOf(onBehalfOf('a', () => gate.enter()));
    const other = onBehalfOf('b', () => gate.enter());
    expect(await second).to.equal('QUEUE_FULL');
    expect(await codeOf(onBehalfOf('b', () => gate.enter()))).to.equal('QUEUE_FULL');
    leave();
    (await other)();
    (await first)();
  });

  it('lets one more caller through while it is widened', async () => {
    const gate = new Gate(1);
    const leave = await gate.enter();
    const second = gate.enter();
    const third = gate.enter();
    const close = gate.widen();
    const leaveSecond = await second;
    close();
    close();
    leave();
    expect(gate.waiting, 'the place of the first was the one more').to.equal(1);
    leaveSecond();
    (await third)();
    (await gate.enter())();
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
