import { createTestServer, type QuireServer } from '@quire/core';
import { expect } from 'chai';
import { expectPdf } from '../../kit/expect-pdf.js';
import { expectProblem, field, post, type Answer } from '../support/client.js';
import { startReceiver, type Receiver } from '../support/receiver.js';

describe('system.html.urlSecurity', function () {
  this.timeout(120_000);
  let site: Receiver;
  const started: QuireServer[] = [];

  const start = async (urlSecurity: object, allowed: readonly string[] = []): Promise<string> => {
    const server = await createTestServer({
      settings: { system: { enableUrlToPDF: true, html: { urlSecurity } }, outbound: { allowed: [...allowed] } },
      plugins: ['@quire/plugin-convert'],
    });
    started.push(server);
    return server.start();
  };
  const print = (url: string, address: string): Promise<Answer> =>
    post(`${url}/api/v1/convert/url/pdf`, [field('urlInput', address)]);

  before(async () => {
    site = await startReceiver((response, { path }) => {
      if (path === '/away') response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' });
      else response.setHeader('content-type', path === '/page' ? 'text/html' : 'image/png');
      response.end(
        path === '/page' ? `<p>Inside</p><img src="/own.png"><img src="http://localhost:${site.port}/other.png">` : '',
      );
    });
  });
  after(async () => {
    for (const server of started) await server.stop();
    await site.stop();
  });

  it('keeps pages of this host shut as shipped', async () => {
    expectProblem(await print(await start({}), `${site.url}/page`), 400, 'ADDRESS_REFUSED');
    expect(site.calls).to.deep.equal([]);
  });

  it('prints pages of private networks once it is off, and still follows nobody to a metadata service', async () => {
    const url = await start({ level: 'OFF' });
    const answer = await print(url, `${site.url}/page`);
    expect(answer.status, answer.body.toString()).to.equal(200);
    await expectPdf(answer.body).pages(1);
    expectProblem(await print(url, `${site.url}/away`), 400, 'ADDRESS_REFUSED');
    for (const host of ['169.254.169.254', '0xa9fea9fe', 'metadata.google.internal', '[::ffff:a9fe:a9fe]'])
      expectProblem(await print(url, `http://${host}/latest/meta-data/`), 400, 'ADDRESS_REFUSED');
  });

  it('leaves out what a page shows of a blocked host, and refuses its pages', async () => {
    const url = await start({ blockedDomains: ['localhost'] }, ['localhost', '127.0.0.1']);
    const before = site.at('/other.png').length;
    const answer = await print(url, `${site.url}/page`);
    expect(answer.status, answer.body.toString()).to.equal(200);
    expect(site.at('/own.png').length, 'its own picture is asked for').to.be.greaterThan(0);
    expect(site.at('/other.png').length).to.equal(before);
    const problem = expectProblem(await print(url, `http://localhost:${site.port}/page`), 400, 'ADDRESS_REFUSED');
    expect(problem.detail).to.include('this server does not print pages of localhost');
  });
});
