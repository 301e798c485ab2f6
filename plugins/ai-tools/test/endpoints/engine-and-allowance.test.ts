import { createTestServer } from '@quire/core';
import { expect } from 'chai';
import {
  fails,
  type ModelReply,
  type ModelServer,
  says,
  startModelServer,
} from '../../../../test/fixtures/model-server.js';
import { json, send } from '../../../../test/http/support/client.js';
import { bossName, bossPassword, globalKey, sendJson, sessionOf } from '../../../../test/http/support/login.js';
import { fixture } from '../model-host.js';

const api = '/api/v1/';
const until = async (holds: () => boolean): Promise<void> => {
  for (let i = 0; i < 1000 && !holds(); i++)
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
};
const intent = (name: string, operations: readonly string[] = []): ModelReply =>
  says({ intent: name, operations, words: 'No.' });

describe('requests of known users', function () {
  this.timeout(60_000);
  let model: ModelServer;
  let server: Awaited<ReturnType<typeof createTestServer>>;
  let boss: { readonly authorization: string };
  const key = { 'x-api-key': globalKey };

  before(async () => {
    model = await startModelServer();
    server = await createTestServer({
      plugins: ['@quire/plugin-ai-tools', '@quire/plugin-general'],
      settings: {
        ...model.engineSettings,
        security: {
          enableLogin: true,
          customGlobalAPIKey: globalKey,
          initialLogin: { username: bossName, password: bossPassword },
        },
        licence: { allowance: 40, allowancePeriod: 'day' },
      },
    });
    await server.start();
    boss = await sessionOf(server);
  });
  after(async () => {
    await server.stop();
    await model.stop();
  });

  async function ask(
    headers: Readonly<Record<string, string>>,
    files: readonly string[] = [],
    path = 'orchestrate',
    own: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    const data = new FormData();
    data.append('userMessage', 'Turn it');
    for (const [i, name] of files.entries())
      data.append(`fileInputs[${i}].fileInput`, new Blob([Uint8Array.from((await fixture(name)).bytes)]), name);
    return fetch(`${server.url}${api}ai/${path}`, { method: 'POST', headers: { ...headers, ...own }, body: data });
  }
  const left = (answer: Response): number =>
    Number(/"allowance";r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1]);
  interface Usage {
    readonly used: number;
    readonly pending: number;
    readonly byCategory: Readonly<Record<string, number>>;
    readonly byOperation: readonly { readonly operation: string; readonly units: number }[];
  }
  const usage = async (): Promise<Usage> => {
    let last: Usage | undefined;
    do last = json<Usage>(await send(`${server.url}${api}admin/usage`, { headers: boss }));
    while (last.pending > 0);
    return last;
  };

  it('reach a separate engine with the secret and the id of the user, from endpoints and from workers', async () => {
    model.script(intent('cannot_do'));
    expect((await ask(boss)).status).to.equal(200);
    const [{ headers }] = model.requests as [(typeof model.requests)[number]];
    expect(headers).to.include({ 'x-engine-auth': 's3' });
    const id = headers['x-user-id'];
    expect(id).to.be.a('string').that.is.not.empty;
    model.script(says({ id: 'letter', confidence: 0.9 }));
    const form = new FormData();
    form.append('fileInput', new Blob([Uint8Array.from((await fixture('letter.pdf')).bytes)]), 'letter.pdf');
    expect(
      (await fetch(`${server.url}${api}ai/tools/classify-and-label`, { method: 'POST', headers: boss, body: form }))
        .status,
    ).to.equal(200);
    expect(model.requests[0]?.headers).to.include({ 'x-user-id': id, 'x-engine-auth': 's3' });
    model.script(intent('cannot_do'));
    await ask(key);
    expect(model.requests[0]?.headers['x-user-id']).to.be.a('string').and.not.equal(id);
  });

  it('have what an administrator saves sent to the engine at once, and nothing else that is saved', async () => {
    const before = model.pushes.length;
    const put = (settings: object) => sendJson(server, `${api}admin/settings`, { settings }, boss, 'PUT');
    expect((await put({ 'ui.appNameNavbar': 'Papers' })).status).to.equal(200);
    expect((await put({ 'aiEngine.limits.maxPages': 7, 'aiEngine.rag.topK': 3 })).status).to.equal(200);
    expect((await put({ 'aiEngine.limits.maxPages': 8 })).status).to.equal(200);
    await until(() => model.pushes.length === before + 2);
    expect(model.pushes.slice(before).map(({ limits, rag }) => [limits?.['maxPages'], rag?.['topK']])).to.deep.equal([
      [7, 3],
      [8, 3],
    ]);
    expect((await put({ 'aiEngine.limits.maxPages': 8 })).status, 'nothing changed').to.equal(200);
    expect((await put({ 'aiEngine.pushConfigToEngine': false })).status).to.equal(200);
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
    expect(model.pushes).to.have.length(before + 2);
  });

  it(
    'count against the allowance as AI, whoever makes them; their steps count as automation, and what failed ' +
      'does not',
    async () => {
      const before = await usage();
      model.script(
        intent('plan', [`${api}general/rotate-pdf`]),
        says({ steps: [{ operation: `${api}general/rotate-pdf`, parameters: [] }], summary: '' }),
      );
      const done = await ask(boss, ['letter.pdf']);
      expect([done.status, ((await done.json()) as { outcome: string }).outcome]).to.deep.equal([200, 'completed']);
      model.script(intent('cannot_do'));
      const streamed = await ask(key, [], 'orchestrate/stream');
      expect(await streamed.text()).to.contain('event: result');
      const planned = await sendJson(server, `${api}ai/pdf/edit`, { user_message: 'Turn it' }, key);
      expect(planned.status, 'the engine has no such address').to.equal(404);
      model.script(fails(500, { 'x-should-retry': 'false' }));
      expect((await ask(boss)).status).to.equal(502);
      expect(await (await ask(boss, [], 'orchestrate/stream')).text()).to.contain('event: error');
      const after = await usage();
      const more = (name: string): number => (after.byCategory[name] ?? 0) - (before.byCategory[name] ?? 0);
      // The engine's 404 is an answer, and was work.
      expect([more('AI'), more('AUTOMATION'), more('API'), after.used - before.used]).to.deep.equal([3, 1, 0, 4]);
      expect(after.byOperation.map(({ operation }) => operation)).to.include.members([
        'ai/orchestrate',
        'ai/orchestrate/stream',
        'ai/pdf/edit',
        'general/rotate-pdf',
      ]);
    },
  );

  it("find no document sessions on a server of one's own", async () => {
    expect((await send(`${server.url}${api}ai/create/sessions`, { headers: boss })).status).to.equal(404);
    expect((await sendJson(server, `${api}ai/create/sessions`, { prompt: 'x' }, boss)).status).to.equal(404);
  });

  it('are repeated with the kept answer for nothing', async () => {
    model.script(intent('cannot_do'));
    const first = await ask(key, [], 'orchestrate', { 'idempotency-key': 'one-and-the-same' });
    const { used } = await usage();
    const again = await ask(key, [], 'orchestrate', { 'idempotency-key': 'one-and-the-same' });
    expect([
      first.status,
      again.status,
      again.headers.get('idempotent-replayed'),
      (await usage()).used - used,
    ]).to.deep.equal([200, 200, 'true', 0]);
  });

  it('end in 402 before the model is asked when the allowance is used up; for steps it is an outcome', async () => {
    model.script(intent('cannot_do'));
    let rest = left(await ask(boss));
    expect(rest).to.be.greaterThan(1);
    for (; rest > 1; rest--) await ask(boss);
    model.script(
      intent('plan', [`${api}general/rotate-pdf`]),
      says({ steps: [{ operation: `${api}general/rotate-pdf`, parameters: [] }], summary: '' }),
    );
    const stopped = (await (await ask(boss, ['letter.pdf'])).json()) as { outcome: string; errorCode: string };
    expect([stopped.outcome, stopped.errorCode]).to.deep.equal(['cannot_continue', 'ACCOUNT_LINK_REQUIRED']);
    model.script(intent('cannot_do'));
    for (const path of ['orchestrate', 'orchestrate/stream']) {
      const refused = await ask(boss, [], path);
      expect([refused.status, ((await refused.json()) as { code: string }).code]).to.deep.equal([
        402,
        'ACCOUNT_LINK_REQUIRED',
      ]);
    }
    expect(model.requests).to.have.length(0);
  });
});
