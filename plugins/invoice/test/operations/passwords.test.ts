import { readFile } from 'node:fs/promises';
import type { QuireServer } from '@quire/core';
import { findInvoicesIn } from '@quire/document/structure/invoices';
import { callOperation, createTestServer, type OperationAnswer } from '@quire/plugin-kit';
import { expect } from 'chai';
import { fixture } from '../hybrid/embed-support.js';

interface Problem {
  readonly code: string;
  readonly errors: readonly { readonly pointer: string; readonly detail: string }[];
}

describe('encrypted PDFs as invoices', function () {
  this.timeout(180_000);
  let server: QuireServer;
  let url: string;
  let locked: Uint8Array;
  let xml: Buffer;
  before(async () => {
    server = await createTestServer({ plugins: ['@quire/plugin-invoice', '@quire/plugin-filter'] });
    url = await server.start();
    locked = new Uint8Array(await readFile(fixture('locked.pdf')));
    xml = await readFile(fixture('invoice-cii.xml'));
  });
  after(() => server.stop());

  const call = async (path: string, params: Record<string, string>, bytes = locked): Promise<OperationAnswer> =>
    callOperation(url, {
      path,
      files: [{ name: 'bill.pdf', bytes }],
      parts: path === 'invoice/embed' ? { invoice: [{ name: 'any.xml', bytes: new Uint8Array(xml) }] } : {},
      params,
    });
  const problemOf = ({ bytes }: OperationAnswer): Problem => JSON.parse(new TextDecoder().decode(bytes)) as Problem;

  const paths = ['detect', 'extract', 'validate', 'render', 'convert', 'embed'].map((name) => `invoice/${name}`);
  for (const path of [...paths, 'filter/filter-invoice'])
    it(`${path} says at the field that the password is missing, or does not open the file`, async () => {
      const missing = await call(path, {});
      const [fault] = problemOf(missing).errors.filter(({ pointer }) => pointer === '/password');
      expect([missing.status, problemOf(missing).code]).to.deep.equal([400, 'PDF_ENCRYPTED']);
      expect(fault?.detail).to.contain('missing');
      const secret = 'not this one';
      const wrong = await call(path, { password: secret });
      expect([wrong.status, problemOf(wrong).code]).to.deep.equal([400, 'PDF_ENCRYPTED']);
      expect(problemOf(wrong).errors.find(({ pointer }) => pointer === '/password')?.detail).to.contain(
        'does not open',
      );
      expect(new TextDecoder().decode(wrong.bytes)).to.not.contain(secret);
    });

  it('extract and convert what is in them, with the password of the user or of the owner', async () => {
    for (const password of ['user', 'owner']) {
      const { bytes } = await call('invoice/extract', { output: 'xml', password });
      expect(Buffer.from(bytes).equals(xml)).to.equal(true);
    }
    const { bytes } = await call('invoice/convert', { target: 'ubl', password: 'user' });
    expect(Buffer.from(bytes).toString()).to.contain('R-2026-0042');
  });

  it('are no PDF/A, whatever they claim; the same file without its encryption is', async () => {
    const rulesOf = async (bytes: Uint8Array, params: Record<string, string>): Promise<readonly string[]> => {
      const answer = JSON.parse(new TextDecoder().decode((await call('invoice/validate', params, bytes)).bytes)) as {
        violations: readonly { rule: string }[];
      };
      return answer.violations.map(({ rule }) => rule).filter((rule) => rule.startsWith('PDF-'));
    };
    expect(await rulesOf(locked, { password: 'user' })).to.deep.equal(['PDF-pdfa-compliance']);
    const open = new Uint8Array(await readFile(fixture('hybrid.pdf')));
    // A password that nothing needs does no harm.
    expect(await rulesOf(open, { password: 'user' })).to.deep.equal([]);
  });

  it('pass the filter as they are, still encrypted', async () => {
    const kept = await call('filter/filter-invoice', { seller: 'lieferant', password: 'user' });
    expect(kept.status).to.equal(200);
    expect(Buffer.from(kept.bytes).equals(Buffer.from(locked))).to.equal(true);
    expect((await call('filter/filter-invoice', { seller: 'nobody', password: 'user' })).status).to.equal(204);
  });

  it('become hybrid PDFs without encryption', async () => {
    const made = await call('invoice/embed', { existing: 'replace', password: 'user' });
    expect(made.status).to.equal(200);
    const { invoices, pdfa } = await findInvoicesIn({ bytes: made.bytes });
    expect([invoices.length, pdfa?.part]).to.deep.equal([1, '3']);
    expect(Buffer.from(made.bytes).includes('/Encrypt')).to.equal(false);
  });
});
