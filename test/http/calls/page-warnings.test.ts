import { makePdf } from '@quire/plugin-kit';
import { expect } from 'chai';
import { callOperation } from '../../kit/call-operation.js';
import { createTestServer, type TestServer } from '../../kit/test-server.js';

describe('Lists of pages', function () {
  this.timeout(60_000);
  let server: TestServer;
  let url: string;
  let three: { name: string; bytes: Uint8Array };

  before(async () => {
    server = await createTestServer();
    url = await server.start();
    three = { name: 'three.pdf', bytes: await makePdf({ pages: 3 }) };
  });
  after(() => server?.stop());

  const warningsOf = async (path: string, params: Record<string, string>): Promise<string | undefined> => {
    const answer = await callOperation(url, { path, files: [three], params });
    expect(answer.status, new TextDecoder().decode(answer.bytes.subarray(0, 300))).to.equal(200);
    return answer.headers.get('x-warnings') ?? undefined;
  };

  it('that reach outside the document are used as far as they go, with a warning', async () => {
    expect(await warningsOf('general/remove-pages', { pageNumbers: '2,99' })).to.contain(
      'pageNumbers: "99" reaches outside the document: the document has 3 pages.',
    );
    expect(await warningsOf('general/remove-pages', { pageNumbers: '2-10' })).to.contain('"2-10" reaches outside');
    expect(await warningsOf('general/remove-pages', { pageNumbers: '2-' })).to.equal(undefined);
    expect(await warningsOf('general/remove-pages', { pageNumbers: '2n' })).to.equal(undefined);
  });

  it('that name a page again for a new order use it once, with a warning', async () => {
    expect(await warningsOf('general/rearrange-pages', { pageNumbers: '3,2,1,1' })).to.contain(
      'pageNumbers: "1" names pages again, and each page is used once.',
    );
    expect(await warningsOf('general/rearrange-pages', { pageNumbers: '3,2,1' })).to.equal(undefined);
    expect(await warningsOf('general/rearrange-pages', { customMode: 'DUPLICATE', pageNumbers: '4' })).to.equal(
      undefined,
    );
  });
});
