import { expect } from 'chai';
import { makePdf } from '../../kit/make-pdf.js';
import { expectProblem, field, file, post, send, type Part, type Problem } from '../support/client.js';
import { quiet, startServer, type TestServer } from '../support/server.js';

const API = '/api/v1';

describe('Errors say what was found, what is allowed and what to do', () => {
  let server: TestServer;
  let pdf: Uint8Array;

  before(async () => {
    server = await startServer({
      endpoints: { toRemove: ['split-pages'], groupsToRemove: ['filter'] },
      operations: { 'misc/repair': { enabled: false } },
      jobs: { resultExpiryMinutes: 45 },
    });
    pdf = await makePdf({ pages: 3 });
  });
  after(() => server.stop());
  afterEach(() => quiet(server));

  const refused = async (path: string, parts: readonly Part[], status: number, code: string): Promise<Problem> =>
    expectProblem(await post(`${server.url}${path}`, parts), status, code);

  it('names the fields that files came in when the field of the document is missing', async () => {
    const other: Part = { ...file(pdf, 'a.pdf'), name: 'document' };
    const problem = await refused(`${API}/general/rotate-pdf`, [other], 400, 'INPUT_FILE_MISSING');
    expect(problem.detail).to.equal(
      'The file field "fileInput" is missing; files came in "document". Rename the file part to "fileInput".',
    );
    const without = await refused(`${API}/general/rotate-pdf`, [field('angle', '90')], 400, 'INPUT_FILE_MISSING');
    expect(without.detail).to.contain('"fileInput" is missing').and.not.contain('came in');
  });

  it('says of an unknown job and file that results expire, and after how long', async () => {
    for (const [path, what] of [
      ['job/4f6c2f0e', 'job'],
      ['job/4f6c2f0e/result', 'job'],
      ['files/4f6c2f0e', 'file'],
    ]) {
      const problem = expectProblem(await send(`${server.url}${API}/general/${path}`), 404, 'JOB_UNKNOWN');
      expect(problem.detail).to.equal(
        `Unknown ${what} "4f6c2f0e": it may have expired (results are kept for 45 minutes) or been deleted.`,
      );
    }
  });

  it('suggests the full path when /api/v1 is missing or only half there', async () => {
    for (const [sent, meant] of [
      ['/general/rotate-pdf', `${API}/general/rotate-pdf`],
      ['/v1/general/rotate-pdf', `${API}/general/rotate-pdf`],
      ['/api/general/rotate-pdf', `${API}/general/rotate-pdf`],
      ['/general/rotat-pdf', `${API}/general/rotate-pdf`],
      ['/pipeline/handleData', `${API}/pipeline/handleData`],
    ] as const) {
      const problem = await refused(sent, [file(pdf)], 404, 'NOT_FOUND');
      expect(problem.hints, sent).to.deep.equal([`Did you mean ${meant}?`]);
    }
    expect((await refused('/favicon-of-nobody', [file(pdf)], 404, 'NOT_FOUND')).hints).to.equal(undefined);
  });

  it('refuses page lists with other separators, and ranges that run backwards', async () => {
    const remove = (pages: string): Promise<Problem> =>
      refused(`${API}/general/remove-pages`, [file(pdf), field('pageNumbers', pages)], 400, 'PAGES_INVALID');
    expect((await remove('1;2')).detail).to.contain('"1;2", which is not a list of page numbers');
    expect((await remove('2-1')).detail).to.equal('"pageNumbers" runs backwards ("2-1"); did you mean "1-2"?');
  });

  it('accepts zero decimals where an integer is meant, and no others', async () => {
    const rotate = (angle: string) =>
      post(`${server.url}${API}/general/rotate-pdf`, [file(pdf), field('angle', angle)]);
    expect((await rotate('90.0')).status).to.equal(200);
    for (const angle of ['90.5', '9e1', '90,0']) expectProblem(await rotate(angle), 400, 'INPUT_INVALID');
  });

  it('names file types as people name them', async () => {
    const text = file(Buffer.from('some text'), 'letter.txt');
    const problem = await refused(`${API}/general/rotate-pdf`, [text], 415, 'INPUT_KIND');
    expect(problem.detail).to.equal(
      'The file in "fileInput" is a text file (.txt); this operation accepts a PDF (.pdf).',
    );
  });

  it('puts the first fault of a refused pipeline into the detail', async () => {
    const run = (...pipeline: object[]): Promise<Problem> =>
      refused(
        `${API}/pipeline/handleData`,
        [file(pdf), field('json', JSON.stringify({ pipeline }))],
        400,
        'PIPELINE_INVALID',
      );
    const wrong = { operation: `${API}/general/rotate-pdf`, parameters: { angle: 'left' } };
    const one = await run(wrong);
    expect(one.detail).to.match(
      /^The pipeline is invalid and nothing was processed: \/pipeline\/0\/parameters\/angle /,
    );
    const two = await run(wrong, wrong);
    expect(two.detail).to.match(/has 2 faults and nothing was processed\. The first one: \/pipeline\/0/);
  });

  it('names the setting that turned an operation off', async () => {
    const detail = async (path: string): Promise<string> =>
      (await refused(`${API}/${path}`, [file(pdf)], 403, 'OPERATION_DISABLED')).detail;
    expect(await detail('general/split-pages')).to.equal(
      '/api/v1/general/split-pages is turned off on this server by the setting endpoints.toRemove.',
    );
    expect(await detail('filter/filter-page-count')).to.contain('by the setting endpoints.groupsToRemove');
    expect(await detail('misc/repair')).to.contain('by the setting operations.misc/repair.enabled');
  });
});

describe('Errors of a server with login', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({
      security: { enableLogin: true, customGlobalAPIKey: 'the-key-of-this-test-0123456789' },
    });
  });
  after(() => server.stop());
  afterEach(() => quiet(server));

  it('tell a missing key from a wrong one', async () => {
    const call = async (headers: Readonly<Record<string, string>>): Promise<string> =>
      expectProblem(await send(`${server.url}${API}/general/job/x`, { headers }), 401, 'KEY_INVALID').detail;
    expect(await call({})).to.equal('This server requires authentication. Send an API key in the X-API-KEY header.');
    expect(await call({ 'x-api-key': 'wrong' })).to.equal(
      'The API key in the X-API-KEY header is wrong, was revoked or has expired. Check it, or create a new key.',
    );
  });
});
