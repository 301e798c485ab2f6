import { expect } from 'chai';
import { file, json, post, send } from '../support/client.js';
import { startServer, type TestServer } from '../support/server.js';

describe('A deprecated operation', () => {
  let server: TestServer;

  before(async () => {
    server = await startServer();
  });
  after(() => server.stop());

  it('says so in each answer, with its successor', async () => {
    for (const parts of [[file(Buffer.from('text'), 'a.txt')], []]) {
      const answer = await post(`${server.url}/api/v1/misc/unruly-old`, parts);
      expect(answer.status).to.equal(parts.length === 1 ? 200 : 400);
      expect(answer.headers).to.include({
        deprecation: '@1795478400',
        link: '</api/v1/misc/unruly-label>; rel="successor-version"',
      });
    }
    const other = await post(`${server.url}/api/v1/misc/unruly-label`, [file(Buffer.from('text'), 'a.txt')]);
    expect(other.headers).to.not.have.any.keys('deprecation', 'link');
  });

  it('is marked in the API document, with the versions', async () => {
    const { paths } = json<{ paths: Record<string, { post: { deprecated?: boolean; description: string } }> }>(
      await send(`${server.url}/v1/api-docs`),
    );
    const described = paths['/api/v1/misc/unruly-old']?.post;
    expect(described?.deprecated).to.equal(true);
    expect(described?.description).to.contain(
      'Deprecated since 1.0.0, removed in 1.2.0; use `/api/v1/misc/unruly-label`.',
    );
  });
});
