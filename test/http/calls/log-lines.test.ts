import { expect } from 'chai';
import { send } from '../support/client.js';
import { makeBase, startProcess, type ServerProcess } from '../support/process.js';

describe('The log', () => {
  let server: ServerProcess;

  before(async () => {
    server = await startProcess(makeBase());
  });
  after(() => void server.child.kill('SIGKILL'));

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
    expect(server.text()).to.not.contain('stack');
  });
});
