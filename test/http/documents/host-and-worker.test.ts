import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { createTestServer } from '@quire/core';
import { makePdf } from '../../kit/make-pdf.js';
import { field, file, post, type Answer, type Part } from '../support/client.js';
import type { TestServer } from '../support/server.js';

const plugin = fileURLToPath(new URL('../../fixtures/host-and-worker-plugin', import.meta.url));
const signedFile = new URL('../../../plugins/signing/fixtures/signed.pdf', import.meta.url);

/** The parts of an answer that must not depend on where the operation ran. */
function facts({ status, headers, body }: Answer): object {
  const problem = status < 400 ? {} : (JSON.parse(body.toString()) as Record<string, unknown>);
  return {
    status,
    type: headers['content-type'],
    disposition: headers['content-disposition'],
    effects: headers['x-effects'],
    warnings: headers['x-warnings'],
    report: headers['x-tool-report'],
    size: status < 400 ? body.length : undefined,
    code: problem['code'],
    detail: String(problem['detail'] ?? '').replace(/misc\/(host|worker)-/g, 'misc/'),
    errors: problem['errors'],
  };
}

describe('An operation that is declared for the host and for workers', () => {
  let server: TestServer;
  let plain: Uint8Array;
  let signed: Uint8Array;
  before(async () => {
    server = await createTestServer({ plugins: [plugin], settings: { policy: { signedInput: 'warn' } } });
    await server.start();
    plain = await makePdf({ pages: 2 });
    signed = new Uint8Array(await readFile(signedFile));
  });
  after(() => server.stop());

  /** Calls both and returns the facts of the worker's answer, after comparing them with the host's. */
  const both = async (name: string, ...parts: readonly Part[]): Promise<Record<string, unknown>> => {
    const [worker, host] = await Promise.all(
      ['worker', 'host'].map((where) => post(`${server.url}/api/v1/misc/${where}-${name}`, parts)),
    );
    expect(facts(host as Answer)).to.deep.equal(facts(worker as Answer));
    return facts(worker as Answer) as Record<string, unknown>;
  };

  it('returns a single output under the same name', async () => {
    const { status, disposition, report } = await both('copy', file(plain, 'a.pdf'), field('copies', '1'));
    expect(status).to.equal(200);
    expect(disposition).to.contain('a_copy1.pdf');
    expect(report).to.equal('{"copies":1}');
  });

  it('packs several outputs into an archive of the declared name', async () => {
    const { disposition } = await both('copy', file(plain, 'a.pdf'), field('copies', '3'));
    expect(disposition).to.contain('a_copies.zip');
  });

  it('warns about a signature that it breaks', async () => {
    const { warnings } = await both('copy', file(signed, 's.pdf'), field('copies', '1'));
    expect(warnings).to.contain('signed');
  });

  it('refuses the same inputs', async () => {
    expect((await both('copy', file(Buffer.from('%PDF-1.7\nbroken'), 'b.pdf')))['status']).to.equal(400);
    expect((await both('copy', file(plain), field('copies', '10')))['code']).to.equal('INPUT_INVALID');
    expect((await both('copy', file(Buffer.from('text'), 'c.txt')))['code']).to.equal('INPUT_KIND');
  });

  it('blames the input for a failure in a nested document', async () => {
    expect((await both('deep', file(plain)))['code']).to.equal('INPUT_TOO_COMPLEX');
  });

  it('fails when a result does not open or has a wrong page count', async () => {
    expect((await both('garbage', file(plain)))['status']).to.equal(500);
    expect((await both('double', file(plain)))['status']).to.equal(500);
  });
});
