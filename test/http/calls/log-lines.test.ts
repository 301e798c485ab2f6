import { expect } from 'chai';
import { file, post, send } from '../support/client.js';
import { makeBase, startProcess, type ServerProcess } from '../support/process.js';
import { until } from '../support/server.js';

describe('The log', () => {
  let server: ServerProcess;

  before(async () => {
    server = await startProcess(makeBase());
  });
  after(() => void server.child.kill('SIGKILL'));

  it('says which error made the server refuse a document, since it may be a fault of the server', async () => {
    const answer = await post(`${server.url}/api/v1/misc/unruly-blame`, [file(Buffer.from('x'), 'any.txt')]);
    expect(answer.body.toString()).to.contain('it is odd').and.not.contain('the fault of the code');
    await until('the error is in the log', () => server.text().includes('TypeError: the fault of the code'));
    expect(server.text()).to.contain('"operation":"misc/unruly-blame"').and.contain('why a document was refused');
  });

  it('has no error for an Accept-Encoding header that cannot be parsed', async () => {
    const odd = [';;;', 'gzip;q=1;x=2', 'gzip;q=abc'];
    for (const value of odd) {
      const answer = await send(`${server.url}/swagger-ui/index.html`, { headers: { 'accept-encoding': value } });
      expect(answer.status, value).to.equal(200);
      expect(answer.headers).to.not.have.property('content-encoding');
    }
    server.child.kill('SIGTERM');
    await server.exit;
    expect(server.text()).to.not.contain('"level":"error"');
    expect(server.text()).to.not.contain('"stack"');
  });
});
