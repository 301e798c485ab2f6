import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { withDocument } from '@quire/document/engines/pdfium';
import { languages } from '@quire/document/invoices/labels';
import { readInvoice } from '@quire/document/invoices/syntaxes';
import { callOperation, type OperationAnswer, serverForTests } from '@quire/plugin-kit';
import { expect } from 'chai';
import { renderPdf } from '../../src/functions/render-pdf.js';
import { formatValue } from '../../src/functions/view/part.js';
import { sampleOf } from '../../../../test/suites/nightly.js';
import { acceptedByVeraPdf, hasVeraPdf } from '../hybrid/embed-support.js';
import { fullInvoice } from '../support/full-invoice.js';

const fixture = (name: string): Promise<Buffer> => readFile(new URL(`../../fixtures/${name}`, import.meta.url));
const textOf = async (pdf: Uint8Array): Promise<string> => {
  const pages = await withDocument(pdf, {}, (document) =>
    Array.from({ length: document.pageCount }, (_, i) => document.pageText(i)),
  );
  return pages.join('\n');
};

const read = ({ bytes }: OperationAnswer): string => Buffer.from(bytes).toString();

/** The PDFs, by name, that veraPDF refuses, by one start of Java; none where it is not installed. */
function refused(flavour: '3a' | '3b', pdfs: Readonly<Record<string, Uint8Array>>): readonly string[] {
  if (!hasVeraPdf) return [];
  const folder = mkdtempSync(join(tmpdir(), 'quire-invoice-'));
  try {
    const paths = Object.entries(pdfs).map(([name, pdf]) => {
      const path = join(folder, `${name}.pdf`);
      writeFileSync(path, pdf);
      return path;
    });
    const accepted = acceptedByVeraPdf(paths, ['--flavour', flavour]);
    return paths.filter((path) => !accepted.includes(path)).map((path) => basename(path, '.pdf'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('an invoice as PDF', function () {
  this.timeout(120_000);

  it('shows every value of an invoice that has all terms of the model', async () => {
    const { invoice, held } = fullInvoice();
    for (const language of languages) {
      const { bytes, replaced } = await renderPdf({ invoice, further: [] }, language, { now: new Date(0) });
      expect(replaced).to.deep.equal([]);
      // Columns stand beside each other, so that the words of a cell are apart, and long words are broken.
      const text = (await textOf(bytes)).replace(/\s+/g, '');
      for (const { term, value } of held) {
        const shown = term.type === 'code' ? String(value) : formatValue(term, value, language);
        for (const word of shown.split(/\s+/)) expect(text, `${term.id} ${language}`).to.include(word);
      }
    }
  });
});

describe('invoice/render and invoice/create', function () {
  this.timeout(120_000);
  const server = serverForTests({ plugins: ['@quire/plugin-invoice'] });

  const call = async (
    operation: 'render' | 'create',
    name: string,
    fields: Readonly<Record<string, string>> = {},
    bytes?: Uint8Array,
  ): Promise<OperationAnswer> =>
    callOperation(server.url, {
      path: `/api/v1/invoice/${operation}`,
      files: [{ name, bytes: bytes ?? (await fixture(name)) }],
      params: fields,
    });

  it('shows the same invoice from a PDF and from its XML', async () => {
    const [fromXml, fromPdf] = [await call('render', 'invoice-cii.xml'), await call('render', 'hybrid.pdf')];
    expect([fromXml.status, fromPdf.status]).to.deep.equal([200, 200]);
    expect(fromXml.headers.get('content-type')).to.include('text/html');
    expect(read(fromPdf)).to.equal(read(fromXml));
    expect(read(fromXml)).to.include('R-2026-0042').and.include('lang="en"');
  });

  it('makes PDF/A in the language that is asked for', async () => {
    const answer = await call('render', 'invoice-ubl.xml', { output: 'pdf', language: 'fr' });
    expect(answer.status).to.equal(200);
    expect(await textOf(answer.bytes)).to.include('Numéro de facture');
    expect(refused('3a', { rendered: answer.bytes }), 'refused by veraPDF').to.deep.equal([]);
  });

  it('refuses XML with a document type, and what is not an invoice', async () => {
    const bomb = '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>';
    const xml = (await fixture('invoice-ubl.xml'))
      .toString()
      .replace(/(\?>)/, `$1${bomb.slice(0, bomb.indexOf(']>') + 2)}`);
    for (const text of [bomb, xml, '<html/>', 'no XML']) {
      const answer = await call('render', 'x.xml', {}, Buffer.from(text));
      expect(answer.status, text.slice(0, 60)).to.equal(400);
      expect(read(answer)).to.not.include('root:');
    }
  });

  it('makes a hybrid PDF that is PDF/A-3, carries the XML, and shows what it says', async () => {
    const made: Record<string, Uint8Array> = {};
    // Two of them but in the nightly run: the server has veraPDF check each.
    for (const profile of sampleOf(['minimum', 'basic-wl', 'en16931', 'basic', 'xrechnung', 'extended'], 3, 2)) {
      const answer = await call('create', 'invoice.json', { format: 'pdf', profile, language: 'de' });
      expect(answer.status, `${profile} ${answer.status === 200 ? '' : read(answer)}`).to.equal(200);
      made[profile] = answer.bytes;
      const shown = await call('render', 'invoice.pdf', { language: 'de' }, answer.bytes);
      expect(read(shown), profile).to.include('1.155,91').and.include('R-2026-0042');
      expect(await textOf(answer.bytes), profile).to.include('1.155,91');
    }
    expect(refused('3b', made), 'refused by veraPDF').to.deep.equal([]);
  });

  it('embeds the XML in a page that is given', async () => {
    const answer = await callOperation(server.url, {
      path: '/api/v1/invoice/create',
      files: [{ name: 'invoice.json', bytes: await fixture('invoice.json') }],
      parts: { page: { name: 'page.pdf', bytes: await fixture('page.pdf') } },
      params: { format: 'pdf' },
    });
    expect(answer.status).to.equal(200);
    expect(await textOf(answer.bytes))
      .to.include('Lieferant GmbH, Berlin')
      .and.not.include('1,155.91');
  });

  it('answers with XML that says what was computed, and warns about what the profile has no place for', async () => {
    const answer = await call('create', 'invoice.json', { profile: 'basic-wl' });
    expect(answer.headers.get('content-type')).to.include('xml');
    expect(readInvoice(answer.bytes).invoice.totals?.due).to.equal('1155.91');
    expect(answer.headers.get('x-warnings')).to.include('has no place for').and.include('BT-131');
  });

  it('refuses a contradiction with its JSON pointer', async () => {
    const answer = await call('create', 'invoice-wrong-total.json');
    const problem = answer.json<{ code: string; errors: { pointer: string; detail: string }[] }>();
    expect([answer.status, problem.code]).to.deep.equal([400, 'INPUT_INVALID']);
    expect(problem.errors[0]?.pointer).to.equal('/fileInput/totals/due');
    expect(problem.errors[0]?.detail).to.include('1190.00').and.include('1155.91');
  });
});
