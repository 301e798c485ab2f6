import { expect } from 'chai';
import { makePdf } from '../../kit/make-pdf.js';
import { expectProblem, field, file, json, post, send, type Answer } from '../support/client.js';
import { addUser, sessionOf, startWithLogin } from '../support/login.js';
import { startServer, until, type TestServer } from '../support/server.js';

interface List {
  readonly jobs: readonly {
    readonly jobId: string;
    readonly path: string;
    readonly status: string;
    readonly startedBy: string | null;
    readonly inputs: readonly string[];
    readonly files: readonly { readonly fileName: string }[];
    readonly createdAt: string;
    readonly completedAt: string | null;
    readonly error: string | null;
    readonly failureCode: string | null;
  }[];
  readonly next: number | null;
}
type Headers = Readonly<Record<string, string>>;

const PATH = '/api/v1/general/jobs';

async function startJob(server: TestServer, path: string, pdf: Uint8Array, headers: Headers = {}): Promise<string> {
  const parts = [file(pdf, 'letter.pdf'), field('async', 'true')];
  const answer = await post(`${server.url}/api/v1/${path}`, parts, headers);
  expect(answer.status, answer.body.toString()).to.equal(200);
  return json<{ jobId: string }>(answer).jobId;
}
const list = (server: TestServer, query = '', headers: Headers = {}): Promise<Answer> =>
  send(`${server.url}${PATH}${query}`, { headers });
const done = (server: TestServer, count: number, headers: Headers = {}): Promise<void> =>
  until(`${count} jobs have ended`, async () => {
    const { jobs } = json<List>(await list(server, '?everyone=true', headers));
    return jobs.filter(({ status }) => status !== 'queued' && status !== 'running').length === count;
  });

describe('The list of jobs', () => {
  let server: TestServer;
  let pdf: Uint8Array;
  before(async () => {
    server = await startServer();
    pdf = await makePdf({ pages: 1 });
  });
  after(() => server.stop());

  it('is empty where nothing was started', async () => {
    expect(json(await list(server))).to.deep.equal({ jobs: [], next: null });
  });

  it('shows jobs with their inputs, results and errors, newest first and page by page', async () => {
    const ids = [];
    for (let i = 0; i < 3; i++) ids.unshift(await startJob(server, 'general/rotate-pdf', pdf));
    ids.unshift(await startJob(server, 'general/rotate-pdf', Buffer.from('%PDF-1.7 nothing')));
    await done(server, 4);
    const first = json<List>(await list(server, '?limit=3'));
    expect(first.jobs.map(({ jobId }) => jobId)).to.deep.equal(ids.slice(0, 3));
    const second = json<List>(await list(server, `?limit=3&before=${first.next}`));
    expect([second.jobs.map(({ jobId }) => jobId), second.next]).to.deep.equal([ids.slice(3), null]);
    const [failed, succeeded] = first.jobs;
    expect(failed).to.include({
      status: 'failed',
      path: 'general/rotate-pdf',
      failureCode: 'PDF_DAMAGED',
      failureStatus: 400,
    });
    expect(failed?.error).to.be.a('string').that.is.not.empty;
    expect(succeeded).to.include({ status: 'succeeded', startedBy: null, error: null, failureCode: null });
    expect(succeeded?.inputs).to.deep.equal(['letter.pdf']);
    expect(succeeded?.files.map(({ fileName }) => fileName)).to.deep.equal(['letter_rotated.pdf']);
    for (const time of [succeeded?.createdAt, succeeded?.completedAt]) expect(time).to.match(/^\d{4}-.*Z$/);
    expect(json<List>(await list(server, '?status=failed')).jobs).to.have.length(1);
  });

  it('is sent again when a job changes', async () => {
    const stop = new AbortController();
    const response = await fetch(`${server.url}${PATH}/events?limit=5`, { signal: stop.signal });
    expect(response.headers.get('content-type')).to.contain('text/event-stream');
    const lists: List[] = [];
    const jobId = await startJob(server, 'general/rotate-pdf', pdf);
    let text = '';
    for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
      text += part;
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const data = /^data: (.*)$/m.exec(block)?.[1];
        if (data !== undefined) lists.push(JSON.parse(data) as List);
      }
      const [newest] = lists.at(-1)?.jobs ?? [];
      if (newest?.jobId === jobId && newest.status === 'succeeded') break;
    }
    stop.abort();
    expect(lists.length).to.be.greaterThan(1);
  });

  for (const query of ['?status=lost', '?limit=0', '?limit=201', '?before=x', '?everyone=maybe'])
    it(`refuses ${query}`, async () => {
      expectProblem(await list(server, query), 400, 'INPUT_INVALID');
    });
});

describe('The list of jobs with login on', () => {
  it("shows the caller's own jobs, and administrators those of all with the names of who started them", async () => {
    const server = await startWithLogin();
    try {
      const boss = await sessionOf(server);
      const { username, password } = await addUser(server, boss, 'ann');
      const ann = await sessionOf(server, username, password);
      const pdf = await makePdf({ pages: 1 });
      const [first, second] = [
        await startJob(server, 'general/rotate-pdf', pdf, ann),
        await startJob(server, 'general/rotate-pdf', pdf, boss),
      ];
      await done(server, 2, boss);
      const ids = async (query: string, headers: Headers): Promise<string[]> =>
        json<List>(await list(server, query, headers)).jobs.map(({ jobId }) => jobId);
      expect(await ids('', ann)).to.deep.equal([first]);
      expect(await ids('', boss)).to.deep.equal([second]);
      expect(await ids('?everyone=true', boss)).to.deep.equal([second, first]);
      expect(json<List>(await list(server, '?everyone=true', boss)).jobs[1]?.startedBy).to.equal('ann');
      expectProblem(await list(server, '?everyone=true', ann), 403, 'ADMIN_ONLY');
      expectProblem(await list(server), 401, 'KEY_INVALID');
    } finally {
      await server.stop();
    }
  });
});
