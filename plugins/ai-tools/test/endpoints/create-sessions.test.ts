import { createTestServer } from '@quire/core';
import { expect } from 'chai';
import { fails, type ModelServer, refuses, says, startModelServer } from '../../../../test/fixtures/model-server.js';
import { type Answer, expectProblem, json, pointers, send } from '../../../../test/http/support/client.js';
import {
  addUser,
  bossName,
  bossPassword,
  sendFields,
  sendJson,
  sessionOf,
} from '../../../../test/http/support/login.js';

const base = '/api/v1/ai/create/sessions';
type Headers = Readonly<Record<string, string>>;

interface Session {
  readonly sessionId: string;
  readonly status: string;
  readonly title: string | null;
  readonly prompt: string;
  readonly prompts: readonly string[];
  readonly documentType: string | null;
  readonly style: object | null;
  readonly outline: readonly { readonly heading: string; readonly points: readonly string[] }[];
  readonly document: {
    readonly title: string;
    readonly style?: object;
    readonly sections: readonly { readonly body?: string; readonly items?: readonly string[] }[];
  } | null;
  readonly fields: readonly { readonly name: string; readonly value: string | null }[];
}

const section = {
  type: 'paragraph',
  heading: 'Offer',
  body: 'Dear {{customer_name}}',
  pairs: [],
  columns: [],
  rows: [],
  totalRow: [],
  items: [],
  signatories: [],
};
const draft = says({
  title: 'Offer {{number}}',
  subtitle: '',
  referenceNumber: '',
  sections: [
    section,
    {
      ...section,
      heading: '',
      body: '',
      type: 'list',
      items: ['{{ number }}', '{{Not a field}}', '{{customer_name}} again'],
    },
  ],
});
const outline = says({
  outline: [
    { heading: ' What ', points: ['Paint', ' '] },
    { heading: '', points: [] },
  ],
});

describe('document sessions of the hosted cloud', function () {
  this.timeout(60_000);
  let model: ModelServer;
  let server: Awaited<ReturnType<typeof createTestServer>>;
  let boss: Headers;
  let ada: Headers;

  before(async () => {
    model = await startModelServer();
    server = await createTestServer({
      plugins: ['@quire/plugin-ai-tools'],
      settings: {
        ...model.settings,
        hosting: 'cloud',
        licence: { meter: true },
        security: { enableLogin: true, initialLogin: { username: bossName, password: bossPassword } },
      },
    });
    await server.start();
    boss = await sessionOf(server);
    await addUser(server, boss, 'ada');
    ada = await sessionOf(server, 'ada', 'password of ada');
  });
  after(async () => {
    await server.stop();
    await model.stop();
  });

  const post = (path: string, body: unknown, who = ada): Promise<Answer> =>
    sendJson(server, `${base}${path}`, body, who);
  const get = (path = '', who = ada): Promise<Answer> => send(`${server.url}${base}${path}`, { headers: who });
  async function session(answer: Promise<Answer>): Promise<Session> {
    const got = await answer;
    expect(got.status, got.body.toString()).to.equal(200);
    return json<Session>(got);
  }
  const begin = (more: object = {}): Promise<Session> =>
    session(post('', { prompt: 'An offer for painting a fence', ...more }));
  const lastPrompt = (): string =>
    model.requests
      .at(-1)!
      .messages.map(({ content }) => content)
      .join('\n');

  it('go from a request over an outline to a document with its fields filled in', async () => {
    const begun = await begin({ documentType: 'offer' });
    expect(begun).to.include({
      status: 'created',
      title: null,
      prompt: 'An offer for painting a fence',
      documentType: 'offer',
      document: null,
    });
    model.script(
      outline,
      outline,
      draft,
      says({
        values: [
          { name: 'number', value: ' 17 ' },
          { name: 'customer_name', value: '' },
        ],
      }),
    );
    const at = `/${begun.sessionId}`;
    expect((await session(post(`${at}/outline`, {}))).outline).to.deep.equal([{ heading: 'What', points: ['Paint'] }]);
    expect(lastPrompt()).to.contain('Kind of document: offer').and.to.contain('An offer for painting a fence');
    const again = await session(post(`${at}/reprompt`, { prompt: 'Add a price' }));
    expect([again.prompts, again.status]).to.deep.equal([['An offer for painting a fence', 'Add a price'], 'outlined']);
    expect(lastPrompt(), 'the outline as it is, and both requests').to.match(
      /1\. An offer[^]*2\. Add a price[^]*1\. What\n {3}- Paint/,
    );
    const drafted = await session(post(`${at}/draft`, {}));
    expect([drafted.status, drafted.title]).to.deep.equal(['drafted', 'Offer {{number}}']);
    expect(drafted.fields).to.deep.equal([
      { name: 'number', value: null },
      { name: 'customer_name', value: null },
    ]);
    expect(lastPrompt()).to.match(/Keep to this outline:\n1\. What/);
    await session(post(`${at}/template`, { style: { primaryColor: '#102030' } }));
    const known = await session(
      post(`${at}/fields`, { values: { customer_name: 'Ada $& Co' }, text: 'The number is 17.' }),
    );
    expect(known.fields).to.deep.equal([
      { name: 'number', value: '17' },
      { name: 'customer_name', value: 'Ada $& Co' },
    ]);
    expect(known.document).to.deep.equal({
      title: 'Offer 17',
      style: { primaryColor: '#102030' },
      sections: [
        { type: 'paragraph', heading: 'Offer', body: 'Dear Ada $& Co' },
        { type: 'list', items: ['17', '{{Not a field}}', 'Ada $& Co again'] },
      ],
    });
    expect(model.requests, 'a template asks nobody').to.have.length(4);
    model.script(says({ title: 'Formal offer', subtitle: '', referenceNumber: '', sections: [section] }));
    const changed = await session(post(`${at}/reprompt`, { prompt: 'Be formal' }));
    expect([changed.title, changed.prompt, changed.document?.style, changed.fields]).to.deep.equal([
      'Formal offer',
      'Be formal',
      { primaryColor: '#102030' },
      [{ name: 'customer_name', value: 'Ada $& Co' }],
    ]);
    expect(lastPrompt(), 'it is shown the document with its fields')
      .to.contain('Dear {{customer_name}}')
      .and.not.to.contain('$&');
    expect(await session(get(at))).to.deep.equal(changed);
  });

  it('take an outline, a document and a template of the caller without asking anybody', async () => {
    const { sessionId } = await begin();
    model.script(fails(500));
    const own = [
      { heading: 'One', points: ['a'] },
      { heading: 'Two', points: [] },
    ];
    expect(
      (
        await session(
          post(`/${sessionId}/outline`, { outline: [{ heading: 'One', points: ['a'] }, { heading: 'Two' }] }),
        )
      ).outline,
    ).to.deep.equal(own);
    const document = {
      title: 'Mine',
      style: { bodyTextColor: '#000000' },
      sections: [{ heading: 'H', rows: [[1, true, null]] }],
    };
    const kept = await session(post(`/${sessionId}/draft`, { document }));
    expect([kept.document, kept.style]).to.deep.equal([document, document.style]);
    const styled = await session(post(`/${sessionId}/template`, { style: null, documentType: 'report' }));
    expect([styled.document, styled.documentType]).to.deep.equal([
      { title: 'Mine', sections: document.sections },
      'report',
    ]);
    expect(model.requests).to.have.length(0);
  });

  it('are listed, read and deleted by those whose they are alone, and go with them', async () => {
    const { sessionId } = await begin();
    const list = json<Session[]>(await get());
    expect(list[0]).to.include({ sessionId, status: 'created' }).and.not.have.property('prompts');
    expect(json(await get('', boss))).to.deep.equal([]);
    for (const answer of [
      get(`/${sessionId}`, boss),
      post(`/${sessionId}/template`, { documentType: 'x' }, boss),
      send(`${server.url}${base}/${sessionId}`, { method: 'DELETE', headers: boss }),
    ])
      expectProblem(await answer, 404, 'NOT_FOUND');
    expect((await send(`${server.url}${base}/${sessionId}`, { method: 'DELETE', headers: ada })).status).to.equal(204);
    expectProblem(await get(`/${sessionId}`), 404, 'NOT_FOUND');
    expectProblem(await get('', {}), 401, 'KEY_INVALID');
    await addUser(server, boss, 'bob');
    const bob = await sessionOf(server, 'bob', 'password of bob');
    await session(post('', { prompt: 'x' }, bob));
    expect((await sendFields(server, '/api/v1/user/admin/deleteUser/bob', {}, boss)).status).to.equal(200);
    await addUser(server, boss, 'bob');
    expect(json(await get('', await sessionOf(server, 'bob', 'password of bob')))).to.deep.equal([]);
  });

  it('stay as they were when the model fails, and when another change came first', async () => {
    const begun = await begin();
    const at = `/${begun.sessionId}`;
    for (const [reply, status] of [
      [refuses(), 502],
      [says('half a {'), 502],
      [fails(401), 503],
    ] as const) {
      model.script(reply);
      expect((await post(`${at}/draft`, {})).status).to.equal(status);
    }
    expect(await session(get(at))).to.deep.equal(begun);
    model.script((response, request) => {
      void session(post(`${at}/template`, { documentType: 'letter' })).then(() => draft(response, request));
    });
    expectProblem(await post(`${at}/draft`, {}), 409, 'STORAGE_CONFLICT');
    expect(await session(get(at))).to.include({ documentType: 'letter', status: 'created' });
  });

  it('are refused what is wrong, naming it', async () => {
    const { sessionId } = await begin();
    const cases: readonly (readonly [string, unknown, string])[] = [
      ['', {}, '/prompt'],
      ['', { prompt: '  ' }, '/prompt'],
      ['', { prompt: 'x', style: { primaryColor: 'red' } }, '/style/primaryColor'],
      [`/${sessionId}/outline`, { outline: [] }, '/outline'],
      [`/${sessionId}/outline`, { outline: [{ points: ['x'] }] }, '/outline/0/heading'],
      [`/${sessionId}/draft`, { document: { sections: [{ rows: 'x' }] } }, '/document/sections/0/rows'],
      [`/${sessionId}/reprompt`, { prompt: 5 }, '/prompt'],
      ['/not-an-id/outline', {}, '/sessionId'],
    ];
    for (const [path, body, pointer] of cases) {
      const answer = await post(path, body);
      expect(pointers(expectProblem(answer, 400, 'INPUT_INVALID')), path).to.deep.equal([pointer]);
    }
    for (const path of ['template', 'fields'])
      expectProblem(await post(`/${sessionId}/${path}`, {}), 400, 'INPUT_INVALID');
    expect(
      expectProblem(await post(`/${sessionId}/fields`, { values: { a: 'b' } }), 400, 'INPUT_INVALID')['detail'],
    ).to.contain('no document yet');
    await session(post(`/${sessionId}/draft`, { document: { title: '{{one}}' } }));
    expect(
      pointers(expectProblem(await post(`/${sessionId}/fields`, { values: { two: 'b' } }), 400, 'INPUT_INVALID')),
    ).to.deep.equal(['/values/two']);
    expect((await post(`/${sessionId}/polish`, {})).status, 'there is no such step').to.equal(404);
    expectProblem(await post(`/${sessionId}/draft`, '['), 400, 'INPUT_INVALID');
  });

  it(
    'hold no more than may be answered, however often a field stands in a document, and are listed without what ' +
      'they hold',
    async () => {
      const { sessionId } = await begin();
      const document = { title: 'x'.repeat(2_000_000), sections: [{ heading: '', body: '{{a}}'.repeat(400_000) }] };
      await session(post(`/${sessionId}/draft`, { document }));
      const before = await session(get(`/${sessionId}`));
      expectProblem(await post(`/${sessionId}/fields`, { values: { a: 'x'.repeat(20_000) } }), 413, 'INPUT_TOO_LARGE');
      expect(await session(get(`/${sessionId}`)), 'nothing of it was kept').to.deep.equal(before);
      const list = await get();
      expect([json<Session[]>(list)[0]?.title?.length, list.body.length < 10_000]).to.deep.equal([500, true]);
      const filled = await session(post(`/${sessionId}/fields`, { values: { a: 'four' } }));
      expect(filled.document?.sections[0]?.body).to.equal('four'.repeat(400_000));
    },
  );

  it('make room for newer ones of the same user', async () => {
    await addUser(server, boss, 'eve');
    const eve = await sessionOf(server, 'eve', 'password of eve');
    const ids: string[] = [];
    for (let i = 0; i < 15; i += 1) {
      const { sessionId } = await session(post('', { prompt: `${i}` }, eve));
      await session(post(`/${sessionId}/draft`, { document: { title: 'x'.repeat(3_900_000) } }, eve));
      ids.unshift(sessionId);
    }
    expect(json<Session[]>(await get('', eve)).map(({ sessionId }) => sessionId)).to.deep.equal(ids.slice(0, 12));
    expectProblem(await get(`/${ids[14]}`, eve), 404, 'NOT_FOUND');
  });

  it('count as AI where the model is asked', async () => {
    const used = async (): Promise<number> =>
      json<{ used: number }>(await send(`${server.url}/api/v1/admin/usage`, { headers: boss })).used;
    const before = await used();
    const { sessionId } = await begin();
    await get();
    await session(post(`/${sessionId}/template`, { documentType: 'x' }));
    expect(await used()).to.equal(before);
    model.script(outline);
    await session(post(`/${sessionId}/outline`, {}));
    expect(await used()).to.equal(before + 1);
  });
});
