import { expect } from 'chai';
import { makePdf } from '../../kit/make-pdf.js';
import { Wire, expectProblem, field, file, post } from '../support/client.js';
import { sendJson, sessionOf, startWithLogin } from '../support/login.js';
import { definitionOf, step } from '../support/pipelines.js';
import { leftovers, quiet, startServer, until, type TestServer } from '../support/server.js';

const rotatePath = '/api/v1/general/rotate-pdf';

describe('A server whose disk is nearly full', () => {
  let server: TestServer;
  let pdf: Uint8Array;

  before(async () => {
    server = await startServer({ limits: { diskReserve: '4000TB' } });
    pdf = await makePdf({ pages: 1 });
  });
  after(() => server.stop());
  afterEach(() => quiet(server));

  it('answers an upload with 507 and a time to try again, and keeps nothing', async () => {
    const answer = await post(`${server.url}${rotatePath}`, [file(pdf)]);
    expectProblem(answer, 507, 'STORAGE_FULL');
    expect(answer.headers['retry-after']).to.equal('60');
    expect(leftovers(server.basePath)).to.deep.equal([]);
  });

  it('answers before the body is read, and before 100 Continue', async () => {
    for (const lines of [['Content-Length: 100000'], ['Transfer-Encoding: chunked', 'Expect: 100-continue']]) {
      const wire = (await Wire.open(server.url)).head(rotatePath, ...lines);
      await until('the server has answered', () => wire.text.includes('STORAGE_FULL'));
      expect(wire.status).to.equal(507);
      wire.close();
    }
  });

  it('refuses new jobs and pipelines', async () => {
    expectProblem(await post(`${server.url}${rotatePath}?async=true`, [file(pdf)]), 507, 'STORAGE_FULL');
    const pipeline = [file(pdf), field('json', definitionOf([step('general/rotate-pdf')]))];
    expectProblem(await post(`${server.url}/api/v1/pipeline/handleData`, pipeline), 507, 'STORAGE_FULL');
  });

  it('answers an unknown address with 404 as always', async () => {
    expectProblem(await post(`${server.url}/api/v1/nowhere`, [file(pdf)]), 404, 'NOT_FOUND');
  });
});

describe('A server with a reserve of disk and space left', () => {
  let server: TestServer;
  before(async () => (server = await startServer({ limits: { diskReserve: '1MB' } })));
  after(() => server.stop());

  it('accepts uploads', async () => {
    const answer = await post(`${server.url}${rotatePath}`, [file(await makePdf({ pages: 1 }))]);
    expect(answer.status).to.equal(200);
  });
});

describe('A server with login whose disk is nearly full', () => {
  let server: TestServer;
  before(async () => (server = await startWithLogin({}, { limits: { diskReserve: '4000TB' } })));
  after(() => server.stop());

  it('still lets people log in and change settings, so that somebody can make space', async () => {
    const session = await sessionOf(server);
    const change = { settings: { 'limits.diskReserve': '0B' } };
    const saved = await sendJson(server, '/api/v1/admin/settings', change, session, 'PUT');
    expect(saved.status, saved.body.toString()).to.equal(200);
  });

  it('asks who calls before it looks at the disk', async () => {
    expect((await post(`${server.url}${rotatePath}`, [file(await makePdf({ pages: 1 }))])).status).to.equal(401);
  });
});
