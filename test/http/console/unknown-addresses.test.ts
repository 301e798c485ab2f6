import { createTestServer, type QuireServer } from '@quire/core';
import { expect } from 'chai';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

describe('An address without anything at it', () => {
  let server: QuireServer;
  let url: string;
  const get = async (path: string, accept: string, method = 'GET') => {
    const answer = await fetch(`${url}${path}`, { method, headers: { accept }, redirect: 'manual' });
    const type = answer.headers.get('content-type') ?? '';
    return { answer, status: answer.status, type, text: await answer.text() };
  };

  before(async () => {
    server = await createTestServer({
      plugins: ['@quire/plugin-general'],
      settings: { system: { rootUriPath: '/pdf' } },
    });
    url = new URL(await server.start()).origin;
  });
  after(() => server.stop());

  it('shows the page of the console to a browser, with status 404 and the headers of a page', async () => {
    for (const [path, base] of [
      ['/pdf/nonsense', './'],
      ['/pdf/nonsense/page', '../'],
    ] as const) {
      const { answer, status, type, text } = await get(path, BROWSER);
      expect(status, path).to.equal(404);
      expect(type).to.match(/^text\/html/);
      expect(text).to.contain('<div id="app">').and.to.contain(`<base href="${base}" />`);
      expect(answer.headers.get('content-security-policy')).to.contain("default-src 'none'");
      expect(answer.headers.get('x-request-id')).to.be.a('string').and.not.equal('');
    }
  });

  it('answers programs with a problem document', async () => {
    for (const accept of ['*/*', 'application/json', '']) {
      const { status, type, text } = await get('/pdf/nonsense', accept);
      expect(status).to.equal(404);
      expect(type).to.equal('application/problem+json');
      expect(JSON.parse(text)).to.include({ code: 'NOT_FOUND' });
    }
  });

  it('answers with a problem document at addresses of programs, outside its path, and to other methods', async () => {
    for (const path of ['/pdf/api/v1/general/rotate', '/pdf/v1/api-doc', '/nonsense'])
      expect((await get(path, BROWSER)).type, path).to.equal('application/problem+json');
    expect((await get('/pdf/nonsense', BROWSER, 'POST')).type).to.equal('application/problem+json');
    expect((await get(`/pdf${'/a'.repeat(40)}`, BROWSER)).type).to.equal('application/problem+json');
  });
});
