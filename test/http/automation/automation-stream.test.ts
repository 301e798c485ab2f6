import { expect } from 'chai';
import { AutomationServer, turn } from '../support/automations.js';
import { expectProblem, json } from '../support/client.js';
import { addUser, bossName, bossPassword, sendFields, sessionOf } from '../support/login.js';
import { API } from '../support/pipelines.js';

interface News {
  readonly event: string;
  readonly id: string;
  readonly automations?: readonly Row[];
  readonly changed?: readonly Row[];
  readonly removed?: readonly string[];
  readonly sources: string;
}

interface Row {
  readonly id: string;
  readonly name: string;
  readonly editable: boolean;
  readonly files: Readonly<Record<string, number>>;
  readonly problems: readonly object[];
  readonly lastRun: { readonly state: string } | null;
}

type Headers = Readonly<Record<string, string>>;

/** The events of the stream, until it ends. */
async function* follow(on: AutomationServer, headers: Headers, signal?: AbortSignal): AsyncGenerator<News> {
  const { body } = await fetch(`${on.url}${API}/automations/events`, { headers, signal: signal ?? null });
  let text = '';
  for await (const part of body!.pipeThrough(new TextDecoderStream())) {
    text += part;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, event = '', id = '', data] = /^event: (.*)\nid: (.*)\ndata: (.*)$/.exec(block) ?? [];
      if (data !== undefined) yield { event, id, ...(JSON.parse(data) as Omit<News, 'event' | 'id'>) };
    }
  }
}

/** The first event that fits. */
async function nextThat(events: AsyncGenerator<News>, fits: (news: News) => boolean): Promise<News> {
  for (;;) {
    const { value, done } = await events.next();
    if (done === true) throw new Error('the stream has ended');
    if (fits(value)) return value;
  }
}

describe('The stream of automations', () => {
  const on = new AutomationServer();
  let boss: Headers;

  before(async () => {
    await on.start({
      security: { enableLogin: true, initialLogin: { username: bossName, password: bossPassword } },
    });
    boss = on.headers = await sessionOf(on);
  });
  after(() => on.server.stop());

  it('sends the list, then what changes in it, without secrets', async () => {
    const leaving = new AbortController();
    const events = follow(on, boss, leaving.signal);
    const first = await nextThat(events, () => true);
    expect([first.event, first.automations]).to.deep.equal(['list', []]);
    const lock = { operation: `${API}/security/add-password`, parameters: { password: 'canary-7', keyLength: 256 } };
    const source = await on.source({ name: 'Streamed' });
    const { id } = await on.create({ name: 'Streamed', work: { pipeline: [lock] }, inputs: [{ source }] });
    const created = await nextThat(events, ({ changed }) => changed?.[0]?.id === id);
    expect(JSON.stringify(created)).to.include('Streamed').and.not.include('canary');
    expect(created.sources).not.to.equal(first.sources);
    await on.scan('a.pdf');
    await on.post(`automations/${id}/trigger`);
    const ended = await nextThat(events, ({ changed }) => changed?.[0]?.lastRun?.state === 'completed');
    expect(ended.changed?.[0]).to.deep.include({ problems: [] });
    expect(ended.changed?.[0]?.files['delivered']).to.equal(1);
    leaving.abort();
    await events.next().catch(() => undefined);
    const again = follow(on, { ...boss, 'last-event-id': ended.id });
    expect((await again.next()).value).to.include({ event: 'change', id: ended.id });
    await again.return(undefined);
    await on.delete(`automations/${id}`);
  });

  it('reports a source that cannot be read', async () => {
    const source = await on.source({ name: 'Gone' });
    const { id } = await on.create({ name: 'Reads what is gone', inputs: [{ source }] });
    const events = follow(on, boss);
    await events.next();
    on.box.down = true;
    await on.post(`automations/${id}/trigger`);
    const news = await nextThat(events, ({ changed }) => (changed?.[0]?.problems.length ?? 0) > 0);
    expect(news.changed?.[0]?.problems[0]).to.include({ source });
    on.box.down = false;
    await events.return(undefined);
    await on.delete(`automations/${id}`);
  });

  it('shows members of a team what is theirs, follows their rights, and ends with their account', async () => {
    await addUser(on, boss, 'mate');
    const mate = await sessionOf(on, 'mate', 'password of mate');
    const { id } = await on.create({ name: 'Ours', work: turn });
    const events = follow(on, mate);
    expect((await nextThat(events, () => true)).automations?.[0]).to.include({ id, editable: false });
    const me = json<{ user: { id: number } }>(await on.get('auth/me', mate)).user;
    const { teamId } = json<{ teamId: number }>(await sendFields(on, `${API}/team/create`, { name: 'Others' }, boss));
    await sendFields(on, `${API}/team/addUser`, { teamId: String(teamId), userId: String(me.id) }, boss);
    expect((await nextThat(events, () => true)).removed).to.deep.equal([id]);
    await sendFields(on, `${API}/user/admin/deleteUser/mate`, {}, boss);
    expect((await events.next()).done).to.equal(true);
    expectProblem(await on.get('automations/events', {}), 401, 'KEY_INVALID');
  });
});
