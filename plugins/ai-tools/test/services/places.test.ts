import { expect } from 'chai';
import { Places } from '../../src/services/places.js';

describe('places', () => {
  const { signal } = new AbortController();

  it('are given in the order in which they were asked for, also to who comes when one is left', async () => {
    const places = new Places(() => 1);
    const order: string[] = [];
    let end = (): void => undefined;
    const first = places.with(signal, () => new Promise<void>((resolve) => void (end = resolve)));
    const second = places.with(signal, async () => void order.push('second'));
    await new Promise((resolve) => void setImmediate(resolve));
    const third = first.then(() => places.with(signal, async () => void order.push('third')));
    // One for each moment until the place was left and taken.
    const late = Array.from({ length: 8 }, async (_, ticks) => {
      for (let i = 0; i < ticks; i++) await Promise.resolve();
      await places.with(signal, async () => void order.push('late'));
    });
    end();
    await Promise.all([first, second, third, ...late]);
    expect(order[0]).to.equal('second');
    expect(order).to.have.length(10);
  });

  it('are there for several at once when the bound is raised, and for others when one that waits goes', async () => {
    let most = 1;
    const places = new Places(() => most);
    const gone = new AbortController();
    let [running, highest] = [0, 0];
    const work = async (): Promise<void> => {
      highest = Math.max(highest, ++running);
      await new Promise((resolve) => void setTimeout(resolve, 10));
      running--;
    };
    const left = places.with(signal, work);
    const waits = places.with(gone.signal, work).catch((error: unknown) => String(error));
    const others = [1, 2, 3].map(() => places.with(signal, work));
    gone.abort(new Error('gone'));
    most = 3;
    await Promise.all([left, ...others]);
    expect([await waits, highest, running]).to.deep.equal(['Error: gone', 3, 0]);
  });
});
