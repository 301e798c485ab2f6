import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { AccessError, type Principal } from '@quire/registry';
import type { NamedEvent } from '../../http/response/index.js';
import { automationStage, type AutomationStage, type TestEngine } from '../../../test/suites/automation-harness.js';
import { describeStores } from '../../../test/suites/temporary-store.js';
import { itemStates } from '../items/item-record.js';
import type { ItemCounts } from '../items/history.js';
import { TeamRecords } from '../team-records.js';
import { followedList, type FollowDeps } from './followed-list.js';
import { LiveList } from './live-list.js';

interface News {
  readonly event: string;
  readonly id: string | undefined;
  readonly automations?: readonly string[];
  readonly changed?: readonly string[];
  readonly removed?: readonly string[];
}

const caller: Principal = { id: 'u', name: 'u', role: 'user', via: 'key' };

/** The list of a node; its counts of readings show what it costs. */
function listOf(on: AutomationStage, { engine }: TestEngine, shared: boolean) {
  const reads = { counts: 0 };
  const counts = async (automationId: string): Promise<ItemCounts> => {
    reads.counts++;
    const found = itemStates.map(async (state) => [state, await on.items.count({ automationId, state })] as const);
    return Object.fromEntries(await Promise.all(found)) as ItemCounts;
  };
  const { automations: records, sources: sourceRecords, items, runs } = on;
  const folderRows = async () => [];
  return {
    reads,
    list: new LiveList({ records, sourceRecords, items, runs, history: { counts }, engine, folderRows, shared }),
  };
}

/** Follows a list; `next` is the following event in short. */
function follow(list: LiveList, more: Partial<FollowDeps> = {}, lastId?: string) {
  const leaving = new AbortController();
  const events = followedList(
    {
      list,
      teams: new TeamRecords(false),
      resume: (principal) => Promise.resolve(principal),
      shown: ({ automation: { id }, counts, lastRun }) => [id, counts.delivered, lastRun?.state ?? 'never'].join(' '),
      ...more,
    } as FollowDeps,
    caller,
    { signal: leaving.signal, lastId },
  );
  const short = ({ value, done }: IteratorResult<NamedEvent>): News | undefined =>
    done === true ? undefined : { event: value.event, id: value.id, ...(value.data as object) };
  return {
    next: async (): Promise<News | undefined> => short(await events.next()),
    leave: async (): Promise<void> => {
      leaving.abort();
      await events.return(undefined);
    },
  };
}

describeStores('the list of automations as it changes', (make) => {
  const on = automationStage(make);

  it('is sent whole, and then what changes: by this node and by others', async () => {
    await on.add();
    await on.add({ id: 'two', inputs: [] });
    const node = await on.engine();
    const { list } = listOf(on, node, true);
    const stream = follow(list);
    expect((await stream.next())?.automations).to.deep.equal(['one 0 never', 'two 0 never']);
    on.box.put('a.pdf', 'a');
    // Nobody tells this list: the engine is one of another node.
    await on.trigger(node);
    let news = await stream.next();
    while (news?.changed?.[0] !== 'one 1 completed') news = await stream.next();
    expect([news.event, news.changed, news.removed]).to.deep.equal(['change', ['one 1 completed'], []]);
    await on.automations.remove('two');
    news = await stream.next();
    expect([news?.changed, news?.removed]).to.deep.equal([[], ['two']]);
    await stream.leave();
  });

  it('is not sent again to a client that has it', async () => {
    await on.add();
    const { list } = listOf(on, await on.engine(), false);
    const first = follow(list);
    const { id } = (await first.next()) ?? {};
    await first.leave();
    const again = follow(list, {}, id);
    const news = await again.next();
    expect([news?.event, news?.id, news?.changed]).to.deep.equal(['change', id, []]);
    await again.leave();
    await on.add({ id: 'two' });
    const stale = follow(list, {}, id);
    expect((await stale.next())?.event).to.equal('list');
    await stale.leave();
  });

  it('leaves out what a caller no longer sees, and ends with the account', async () => {
    await on.add();
    const { list } = listOf(on, await on.engine(), false);
    let [sees, isThere] = [true, true];
    const stream = follow(list, {
      teams: { sees: () => sees, mayEdit: () => false },
      resume: (principal) =>
        isThere
          ? Promise.resolve({ ...principal, teamId: String(sees) })
          : Promise.reject(new AccessError('ACCOUNT_DISABLED')),
    });
    expect((await stream.next())?.automations).to.have.length(1);
    sees = false;
    expect((await stream.next())?.removed).to.deep.equal(['one']);
    isThere = false;
    expect(await stream.next()).to.equal(undefined);
  });

  it('is read once for all who follow it, again only where it has changed, and never for nobody', async () => {
    for (const id of ['one', 'two', 'three']) await on.add({ id });
    const { list, reads } = listOf(on, await on.engine(), false);
    list.touched('one');
    await setImmediate();
    expect(reads.counts).to.equal(0);
    const streams = [follow(list), follow(list)];
    for (const stream of streams) expect((await stream.next())?.automations).to.have.length(3);
    expect(reads.counts).to.equal(3);
    const run = { state: 'running', startedAt: 5 } as const;
    await on.runs.put({ ...runOfTwo(), ...run });
    list.touched('two');
    expect((await streams[0]?.next())?.changed).to.deep.equal(['two 0 running']);
    expect(reads.counts).to.equal(4);
    for (const stream of streams) await stream.leave();
    list.touched('one');
    await setImmediate();
    expect(reads.counts).to.equal(4);
  });
});

function runOfTwo() {
  return {
    id: 'run',
    automationId: 'two',
    itemId: 'item',
    startedBy: '',
    trigger: 'manual',
    inputs: [],
    bytes: 0,
    attempt: 1,
    endedAt: null,
    stepCount: 1,
    outputs: [],
    warnings: [],
    code: null,
    detail: null,
  } as const;
}
