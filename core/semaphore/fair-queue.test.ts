import { expect } from 'chai';
import { FairQueue } from './fair-queue.js';

/** Takes everything, one item after another; each ends before the next begins. */
const drain = (queue: FairQueue<string>): string[] => {
  const order: string[] = [];
  for (let item = queue.take(); item !== undefined; item = queue.take()) order.push(item);
  return order;
};

describe('A fair queue', () => {
  it('gives owners turns, and keeps the order of each', () => {
    const queue = new FairQueue<string>();
    for (const item of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) queue.add(item.charAt(0), item);
    expect(drain(queue)).to.deep.equal(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
    expect(queue.size).to.equal(0);
  });

  it('prefers owners who have less at work', () => {
    const queue = new FairQueue<string>();
    const ends = [queue.begin('a'), queue.begin('a'), queue.begin('b')];
    for (const item of ['a1', 'b1', 'c1', 'c2']) queue.add(item.charAt(0), item);
    expect(queue.take()).to.equal('c1');
    queue.begin('c');
    expect(queue.take()).to.equal('b1');
    ends[0]?.();
    ends[0]?.();
    ends[1]?.();
    expect(queue.atWork('a')).to.equal(0);
    expect(queue.take()).to.equal('a1');
  });

  it('prefers a newcomer to an owner who had the last turn', () => {
    const queue = new FairQueue<string>();
    queue.add('a', 'a1');
    expect(queue.take()).to.equal('a1');
    queue.add('a', 'a2');
    queue.add('b', 'b1');
    expect(drain(queue)).to.deep.equal(['b1', 'a2']);
  });

  it('passes over items that may not start yet', () => {
    const queue = new FairQueue<string>();
    for (const item of ['a1', 'a2', 'b1']) queue.add(item.charAt(0), item);
    expect(queue.take((item) => item === 'a2')).to.equal('a2');
    expect(queue.take(() => false)).to.equal(undefined);
    expect(queue.items()).to.deep.equal(['a1', 'b1']);
  });

  it('makes place for another owner with the newest item of the one with the most', () => {
    const queue = new FairQueue<string>();
    for (const item of ['a1', 'a2', 'a3', 'b1', 'b2']) queue.add(item.charAt(0), item);
    expect(queue.pushOut('a')).to.equal(undefined);
    expect(queue.pushOut('b')).to.equal(undefined);
    expect(queue.pushOut('c')).to.equal('a3');
    expect(queue.remove('a1')).to.equal(true);
    expect(queue.remove('a1')).to.equal(false);
    expect(queue.items()).to.deep.equal(['a2', 'b1', 'b2']);
  });
});
