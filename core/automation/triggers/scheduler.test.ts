import { expect } from 'chai';
import { automationStage } from '../../../test/suites/automation-harness.js';
import { until } from '../../../test/suites/job-harness.js';
import { describeStores } from '../../../test/suites/temporary-store.js';
import type { ScheduleTrigger } from '../automations/model.js';
import { nextFiring, scheduleFaults } from './schedule.js';

const daily: ScheduleTrigger = { type: 'schedule', cron: '0 6 * * *', zone: 'UTC', missed: 'once' };

describeStores('schedules of automations', (make) => {
  const on = automationStage(make);
  let at: string;
  const add = (trigger: ScheduleTrigger) => on.add({ inputs: [{ source: 'box', trigger }] });
  const arrive = (name: string): void => on.box.put(name, name);
  const delivered = (count: number) => until(() => (on.shelf.delivered.size === count ? true : undefined));

  beforeEach(() => {
    at = '2026-06-01T05:59:00Z';
    on.now = () => new Date(at);
  });

  it('start an automation at their time, and not before', async () => {
    await add(daily);
    arrive('a.pdf');
    const { engine } = await on.engine();
    expect(new Date(engine.nextStart('one') ?? 0).toISOString()).to.equal('2026-06-01T06:00:00.000Z');
    await engine.tick();
    await engine.idle();
    expect(on.shelf.delivered.size).to.equal(0);
    at = '2026-06-01T06:00:00Z';
    await engine.tick();
    await delivered(1);
    expect(new Date(engine.nextStart('one') ?? 0).toISOString()).to.equal('2026-06-02T06:00:00.000Z');
  });

  it('fire once for all times that passed while no server ran', async () => {
    await add(daily);
    await (await on.engine()).drop();
    arrive('a.pdf');
    at = '2026-06-04T12:00:00Z';
    const { engine } = await on.engine();
    await engine.tick();
    await delivered(1);
    expect(new Date(engine.nextStart('one') ?? 0).toISOString()).to.equal('2026-06-05T06:00:00.000Z');
  });

  it('leave out missed times where that is wanted', async () => {
    await add({ ...daily, missed: 'skip' });
    await (await on.engine()).drop();
    arrive('a.pdf');
    at = '2026-06-04T12:00:00Z';
    const { engine } = await on.engine();
    await engine.tick();
    await engine.idle();
    expect(on.box.fetched).to.equal(0);
    at = '2026-06-05T06:00:01Z';
    await engine.tick();
    await delivered(1);
  });

  it('fire at their time again after a clock that ran ahead was set back', async () => {
    await add(daily);
    at = '2026-07-11T12:00:00Z';
    const { engine } = await on.engine();
    await engine.tick();
    expect(new Date(engine.nextStart('one') ?? 0).toISOString()).to.equal('2026-07-12T06:00:00.000Z');
    at = '2026-06-01T05:00:00Z';
    await engine.tick();
    expect(new Date(engine.nextStart('one') ?? 0).toISOString()).to.equal('2026-06-01T06:00:00.000Z');
    arrive('a.pdf');
    at = '2026-06-01T06:00:00Z';
    await engine.tick();
    await delivered(1);
  });

  it('fire on one of two nodes', async () => {
    await add(daily);
    const nodes = [await on.engine(undefined, { leases: true }), await on.engine(undefined, { leases: true })];
    arrive('a.pdf');
    at = '2026-06-01T06:00:00Z';
    await Promise.all(nodes.map(({ engine }) => engine.tick()));
    await delivered(1);
    for (const { engine } of nodes) await engine.idle();
    expect(on.box.fetched).to.equal(1);
  });

  it('list the source later when it is away at their time', async () => {
    await add(daily);
    const { engine } = await on.engine();
    arrive('a.pdf');
    on.box.down = true;
    at = '2026-06-01T06:00:00Z';
    await engine.tick();
    on.box.down = false;
    await delivered(1);
  });

  it('do not start an automation that is switched off', async () => {
    await on.add({ enabled: false, inputs: [{ source: 'box', trigger: daily }] });
    const { engine } = await on.engine();
    expect(engine.nextStart('one')).to.equal(null);
  });
});

describe('schedules', () => {
  const times = async (trigger: Omit<ScheduleTrigger, 'type' | 'missed'>, from: string, count: number) => {
    const found: string[] = [];
    let after = Date.parse(from);
    for (let n = 0; n < count; n++) {
      after = (await nextFiring({ type: 'schedule', missed: 'once', ...trigger }, after)) ?? Number.NaN;
      found.push(new Date(after).toISOString());
    }
    return found;
  };

  it('follow the clock of their zone when it changes', async () => {
    expect(await times({ cron: '30 2 * * *', zone: 'Europe/Berlin' }, '2026-03-27T12:00:00Z', 3)).to.deep.equal([
      '2026-03-28T01:30:00.000Z',
      '2026-03-29T01:00:00.000Z',
      '2026-03-30T00:30:00.000Z',
    ]);
    // 02:30 happens twice on that day.
    const autumn = await times({ cron: '30 2 * * *', zone: 'Europe/Berlin' }, '2026-10-24T12:00:00Z', 3);
    expect(autumn.map((time) => time.slice(0, 10))).to.deep.equal(['2026-10-25', '2026-10-26', '2026-10-27']);
  });

  it('may be written as the contract has them', async () => {
    const zone = 'UTC';
    expect(
      await times(
        { schedule: { type: 'weekly', at: '07:30', days: ['MONDAY', 'FRIDAY'] }, zone },
        '2026-06-01T08:00:00Z',
        2,
      ),
    ).to.deep.equal(['2026-06-05T07:30:00.000Z', '2026-06-08T07:30:00.000Z']);
    expect(
      await times({ schedule: { type: 'monthly', at: '00:00:10', dayOfMonth: 31 }, zone }, '2026-06-01T00:00:00Z', 2),
    ).to.deep.equal(['2026-07-31T00:00:10.000Z', '2026-08-31T00:00:10.000Z']);
    expect(
      await times({ schedule: { type: 'every', count: 90, unit: 'MINUTES' }, zone }, '2026-06-01T00:00:00Z', 2),
    ).to.deep.equal(['2026-06-01T01:30:00.000Z', '2026-06-01T03:00:00.000Z']);
  });

  it('say what is wrong with them', async () => {
    const faults = async (trigger: Partial<ScheduleTrigger>): Promise<string[]> =>
      (await scheduleFaults({ type: 'schedule', zone: 'UTC', missed: 'once', ...trigger }, new Date())).map(
        ({ pointer, detail }) => `${pointer} ${detail}`,
      );
    expect(await faults({ cron: '61 * * * *' })).to.have.length(1);
    expect((await faults({ cron: '61 * * * *' }))[0]).to.match(/^\/cron is not a schedule: Invalid value for minute/);
    expect(await faults({ cron: '* *' })).to.deep.equal([
      '/cron must have five fields, or six with seconds first; found 2',
    ]);
    expect(await faults({ cron: '0 0 30 2 *' })).to.deep.equal(['/cron never fires: no such date exists']);
    expect((await faults({ cron: '0 6 * * *', zone: 'Mars/Base' }))[0]).to.match(
      /^\/zone "Mars\/Base" is not a time zone/,
    );
    expect(await faults({})).to.deep.equal([' must have either cron or schedule']);
    expect(await faults({ schedule: { type: 'weekly', at: '25:00', days: ['MONTAG'] } })).to.have.length(2);
    expect(await faults({ schedule: { type: 'every' } })).to.have.length(2);
    expect(await faults({ schedule: { type: 'daily', at: '07:30' } })).to.deep.equal([]);
  });
});
