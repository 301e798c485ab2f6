import { expect } from 'chai';
import { OperationalError } from '@quire/registry';
import { codeOf } from '../../../test/suites/code-of.js';
import type { Records } from '../../store/index.js';
import type { JobRecord } from '../job-record.js';
import { QueueCounts } from './queue-counts.js';

describe('Counts of the queue', () => {
  it('that fail while another job is added do not end the process, and are read again', async () => {
    const unheard: unknown[] = [];
    const hear = (reason: unknown): void => void unheard.push(reason);
    const others = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection').on('unhandledRejection', hear);
    try {
      let away = true;
      const counts = new QueueCounts(
        {
          count: async () => (away ? Promise.reject(new OperationalError('STORE_DOWN')) : 3),
        } as unknown as Records<JobRecord>,
        500,
      );
      expect(await codeOf(counts.waiting())).to.equal('STORE_DOWN');
      counts.joined();
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(unheard).to.deep.equal([]);
      away = false;
      expect(await counts.waiting()).to.equal(3);
      counts.joined();
      expect(await counts.waiting(), "this server's own job counts at once").to.equal(4);
    } finally {
      process.removeListener('unhandledRejection', hear);
      for (const other of others) process.on('unhandledRejection', other);
    }
  });

  it('return the last count without waiting for the next one', async () => {
    let stored = 7;
    const counts = new QueueCounts({ count: async () => stored } as unknown as Records<JobRecord>, 5);
    expect(counts.lastWaiting(0), 'nothing was counted yet').to.equal(undefined);
    expect(await counts.waiting()).to.equal(7);
    counts.joined();
    expect(counts.lastWaiting(0)).to.equal(8);
    stored = 90;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(counts.lastWaiting(0), 'the old count, while a new one is made').to.equal(8);
    expect(await counts.waiting()).to.equal(90);
    expect(counts.lastWaiting(0)).to.equal(90);
  });

  it('are read for every call when nothing is cached', async () => {
    let stored = 1;
    const counts = new QueueCounts({ count: async () => stored } as unknown as Records<JobRecord>, 0);
    await counts.waiting();
    expect(counts.lastWaiting(0)).to.equal(undefined);
    stored = 2;
    expect(await counts.waiting()).to.equal(2);
  });
});
