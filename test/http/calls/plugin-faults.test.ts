import { expect } from 'chai';
import { makePdf } from '../../kit/make-pdf.js';
import { expectProblem, field, file, post } from '../support/client.js';
import { makeBase, startProcess, type ServerProcess } from '../support/process.js';
import { until } from '../support/server.js';

describe('Errors in the code of a plugin that reads a document', () => {
  let server: ServerProcess;

  before(async () => {
    server = await startProcess(makeBase());
  });
  after(() => void server.child.kill('SIGKILL'));

  const call = (where: string, bytes: Uint8Array): ReturnType<typeof post> =>
    post(`${server.url}/api/v1/misc/unruly-bug`, [file(bytes), field('where', where)]);

  it('are faults of the server, with their stack in the log', async () => {
    const pdf = await makePdf({ pages: 2 });
    for (const where of ['code', 'builtin']) {
      const problem = expectProblem(await call(where, pdf), 500, 'INTERNAL');
      expect(JSON.stringify(problem), where).not.to.contain('noSuchMethod');
    }
    await until(
      'the errors are in the log',
      () => server.text().match(/noSuchMethod is not a function/g)?.length === 2,
    );
    expect(server.text()).to.match(/"stack":"[^"]*TypeError: document\.noSuchMethod[^"]*unruly-plugin\/index\.js:\d+/);
  });

  it('are no faults of the server where a library, the stack or the plugin itself refuses the document', async () => {
    const pdf = await makePdf({ pages: 2 });
    for (const where of ['library', 'recursion', 'refusal']) expectProblem(await call(where, pdf), 400, 'PDF_DAMAGED');
  });

  it('are not blamed for a document in which damage was found', async () => {
    const pdf = await makePdf({ pages: 2 });
    expectProblem(await call('code', pdf.subarray(0, pdf.length - 30)), 400, 'PDF_DAMAGED');
  });
});
