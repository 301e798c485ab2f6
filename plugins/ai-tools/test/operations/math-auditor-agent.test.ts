import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import { callOperation, makePdf, serverForTests } from '@quire/plugin-kit';
import { fails, type ModelServer, refuses, says, startModelServer } from '../../../../test/fixtures/model-server.js';

const PATH = 'ai/tools/math-auditor-agent';
const root = new URL('../../', import.meta.url).pathname;
const fixture = async (name: string) => ({
  name,
  bytes: new Uint8Array(await readFile(new URL(`../../fixtures/${name}`, import.meta.url))),
});
const QUOTE = 'Your share of the freight is 25% of 80.00, which is 22.00.';

interface Report {
  readonly type: string;
  readonly sessionId: string;
  readonly discrepancies: readonly {
    readonly page: number;
    readonly kind: string;
    readonly severity: string;
    readonly description: string;
    readonly stated: string;
    readonly expected: string;
    readonly context: string;
  }[];
  readonly pagesExamined: readonly number[];
  readonly roundsTaken: number;
  readonly summary: string;
  readonly clean: boolean;
  readonly unauditablePages: readonly number[];
}

describe('math-auditor-agent', function () {
  this.timeout(60_000);
  let model: ModelServer;
  // The settings name the model, so it is there before the server; the object is filled in time, as hooks run in order.
  const settings: Record<string, unknown> = {};
  before(async () => {
    model = await startModelServer();
    Object.assign(settings, model.settings);
  });
  const server = serverForTests({ plugins: [root], settings });
  after(() => model.stop());
  beforeEach(() => model.script(says({ claims: [] })));

  it('finds what does not come out, each once, with what it should be', async () => {
    const answer = await callOperation(server.url, { path: PATH, files: [await fixture('invoice-with-errors.pdf')] });
    expect(answer.status).to.equal(200);
    const report = answer.json<Report>();
    expect(
      report.discrepancies.map(
        ({ page, kind, severity, stated, expected }) => `${page} ${kind} ${severity} ${stated} ${expected}`,
      ),
    ).to.deep.equal([
      '1 tally error 2,599.00 2500.00',
      '1 arithmetic error 38.50 37.50',
      '1 arithmetic error 155.00 150.00',
      '2 consistency warning 2,499.00 2,599.00',
    ]);
    expect(report).to.deep.include({
      type: 'math-audit',
      clean: false,
      pagesExamined: [1, 2],
      unauditablePages: [],
      roundsTaken: 1,
      summary: '3 errors and 1 warning were found on 2 pages.',
    });
    expect(report.sessionId).to.match(/^[0-9a-f-]{36}$/);
  });

  it('calculates the claims that the model proposes, and shows it only sentences with numbers', async () => {
    const claim = { page: 1, quote: QUOTE, kind: 'percentage_of', operands: ['25%', '80.00'], result: '22.00' };
    model.script(says({ claims: [claim] }));
    const report = (
      await callOperation(server.url, { path: PATH, files: [await fixture('invoice-with-errors.pdf')] })
    ).json<Report>();
    expect(report.discrepancies.filter(({ kind }) => kind === 'statement')).to.deep.equal([
      {
        page: 1,
        kind: 'statement',
        severity: 'error',
        description: 'The share of 25%, 80.00 is 20.00, not 22.00',
        stated: '22.00',
        expected: '20.00',
        context: QUOTE,
      },
    ]);
    const sent = model.requests[0]?.messages.at(-1)?.content ?? '';
    expect(sent)
      .to.contain('[page 1]')
      .and.to.contain(QUOTE)
      .and.not.to.contain('Payment slip')
      .and.not.to.contain('%PDF');
  });

  it('believes the model nothing that is not printed', async () => {
    const claim = { page: 1, quote: QUOTE, kind: 'percentage_of', operands: ['25%', '80.00'], result: '22.00' };
    model.script(
      says({
        claims: [
          { ...claim, page: 2 },
          { ...claim, page: 99 },
          { ...claim, quote: 'The share is 25% of 80.00, or 22.00.' },
          { ...claim, operands: ['50%', '80.00'] },
          { ...claim, operands: ['80.00', '80.00'] },
          { ...claim, operands: ['5%', '80.00'] },
          { ...claim, quote: '' },
          { ...claim, operands: [] },
        ],
      }),
    );
    const report = (
      await callOperation(server.url, { path: PATH, files: [await fixture('invoice-with-errors.pdf')] })
    ).json<Report>();
    expect(report.discrepancies.filter(({ kind }) => kind === 'statement')).to.deep.equal([]);
  });

  it('finds nothing in what comes out, also from the tolerance on', async () => {
    expect(
      (await callOperation(server.url, { path: PATH, files: [await fixture('invoice.pdf')] })).json<Report>(),
    ).to.deep.include({ clean: true, discrepancies: [], summary: 'No contradictions were found on 2 pages.' });
    const generous = (
      await callOperation(server.url, {
        path: PATH,
        files: [await fixture('invoice-with-errors.pdf')],
        params: { tolerance: '99.01' },
      })
    ).json<Report>();
    expect(generous.discrepancies.map(({ stated }) => stated)).to.deep.equal(['2,499.00']);
    const exact = { name: 'a.pdf', bytes: await makePdf({ pages: 1, text: '0.1 + 0.2 = 0.301' }) };
    expect((await callOperation(server.url, { path: PATH, files: [exact] })).json<Report>().clean).to.equal(true);
    expect(
      (await callOperation(server.url, { path: PATH, files: [exact], params: { tolerance: 0 } })).json<Report>().clean,
    ).to.equal(false);
  });

  it('names pages without text, and asks nothing about them', async () => {
    const report = (
      await callOperation(server.url, { path: PATH, files: [await fixture('no-text.pdf')] })
    ).json<Report>();
    expect(report).to.deep.include({ pagesExamined: [], unauditablePages: [1], clean: true, roundsTaken: 0 });
    expect(report.summary).to.contain('1 page without text could not be examined');
    expect(model.requests).to.have.length(0);
  });

  it('is a step of pipelines, whose JSON takes the place of the file', async () => {
    const json = JSON.stringify({
      pipeline: [{ operation: '/api/v1/ai/tools/math-auditor-agent', parameters: { tolerance: 0.01 } }],
    });
    const answer = await callOperation(server.url, {
      path: '/api/v1/pipeline/handleData',
      files: [await fixture('invoice.pdf')],
      params: { json },
    });
    expect(answer.status).to.equal(200);
    expect(answer.fileName).to.equal('invoice.json');
    expect(answer.json<Report>().clean).to.equal(true);
  });

  it('refuses a tolerance that is negative or not a number, and files that are not PDFs', async () => {
    const file = await fixture('invoice.pdf');
    for (const tolerance of ['-0.01', 'much', '1e400']) {
      const answer = await callOperation(server.url, { path: PATH, files: [file], params: { tolerance } });
      expect([answer.status, answer.code], tolerance).to.deep.equal([400, 'INPUT_INVALID']);
      expect(new TextDecoder().decode(answer.bytes)).to.contain('tolerance');
    }
    expect(
      (
        await callOperation(server.url, {
          path: PATH,
          files: [
            { name: 'a.png', bytes: new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]) },
          ],
        })
      ).status,
    ).to.equal(415);
    expect((await callOperation(server.url, { path: PATH })).status).to.equal(400);
  });

  it('is honest when the model refuses, fails or talks', async () => {
    const file = await fixture('invoice.pdf');
    for (const [reply, status, code] of [
      [refuses(), 502, 'REMOTE_ANSWER'],
      [fails(500, { 'x-should-retry': 'false' }), 502, 'REMOTE_ANSWER'],
      [says('All is well!'), 502, 'REMOTE_ANSWER'],
      [fails(429, { 'x-should-retry': 'false', 'retry-after': '7' }), 503, 'REMOTE_BUSY'],
      [fails(401), 503, 'SERVICE_NOT_SET_UP'],
    ] as const) {
      model.script(reply);
      const answer = await callOperation(server.url, { path: PATH, files: [file] });
      expect([answer.status, answer.code]).to.deep.equal([status, code]);
      if (code === 'REMOTE_BUSY') expect(answer.headers.get('retry-after')).to.equal('7');
    }
  });

  describe('where it is switched off', () => {
    const off = serverForTests({
      plugins: [root],
      settings: { aiEngine: { enabled: true, features: { mathAuditor: false } } },
    });

    it('answers 503 and names the switch', async () => {
      const answer = await callOperation(off.url, { path: PATH, files: [await fixture('invoice.pdf')] });
      expect([answer.status, answer.code]).to.deep.equal([503, 'SERVICE_NOT_SET_UP']);
      expect(new TextDecoder().decode(answer.bytes)).to.contain('mathAuditor');
    });
  });
});
