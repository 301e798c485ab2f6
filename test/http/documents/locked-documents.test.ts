import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { createTestServer } from '@quire/core';
import { expectPdf } from '../../kit/expect-pdf.js';
import { makePdf } from '../../kit/make-pdf.js';
import { expectProblem, field, file, post, type Answer } from '../support/client.js';
import type { TestServer } from '../support/server.js';

const plugin = fileURLToPath(new URL('../../fixtures/locking-plugin', import.meta.url));

describe('Encrypted PDFs', () => {
  let server: TestServer;
  let plain: Uint8Array;
  const call = (name: string, bytes: Uint8Array, password: string): Promise<Answer> =>
    post(`${server.url}/api/v1/misc/locking-${name}`, [file(bytes), field('password', password)]);

  before(async () => {
    plain = await makePdf({ pages: 2 });
    server = await createTestServer({ plugins: [plugin] });
    await server.start();
  });
  after(() => server.stop());

  it('are returned when they open with the password that was sent, and not without', async () => {
    const answer = await call('truth', plain, 'open');
    expect(answer.status).to.equal(200);
    await expectPdf(answer.body, 'open').pages(2);
    expectProblem(await call('lie', plain, 'open'), 500, 'CONTRACT_BROKEN');
    expectProblem(await call('mistake', plain, 'open'), 500, 'CONTRACT_BROKEN');
  });

  it('need no password where none was sent', async () => {
    await expectPdf((await call('lie', plain, '')).body).pages(2);
  });

  it('are never created without being declared', async () => {
    expectProblem(await call('silent', plain, 'open'), 500, 'CONTRACT_BROKEN');
    expect((await call('silent', plain, '')).status).to.equal(200);
  });

  it("are opened with the password before and after an operation in the server's own process too", async () => {
    const locked = (await call('truth', plain, 'open')).body;
    await expectPdf((await call('host', locked, 'open')).body, 'open').pages(2);
    const shut = expectProblem(await call('host', locked, 'shut'), 400, 'PDF_ENCRYPTED');
    expect(shut.errors).to.deep.equal([{ pointer: '/password', detail: 'does not open the document' }]);
    expectProblem(await call('truth', locked, 'open'), 400, 'PDF_ENCRYPTED');
  });
});
