import { expect } from 'chai';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openPdf } from '../../../file/open/index.js';
import { ROOT_HEAD_BYTES } from '../../../invoices/recognition/index.js';
import { hasInvoice, isInvoice } from '../../../structure/invoices/index.js';

const corpus = fileURLToPath(new URL('../../../../../shared/einvoice/', import.meta.url));

describe('electronic invoices', () => {
  const cii = 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100';
  const ubl = 'urn:oasis:names:specification:ubl:schema:xsd';
  const is = (text: string, encoding: BufferEncoding = 'utf8'): boolean => isInvoice(Buffer.from(text, encoding));

  it('are known by their root element and its namespace, whatever prefix, comments and encoding', () => {
    expect(is(`<rsm:CrossIndustryInvoice xmlns:a="b" xmlns:rsm='${cii}'>`)).to.equal(true);
    expect(
      is(`\uFEFF<?xml version="1.0"?>\n<!-- <Invoice> -->\n<Invoice\n xmlns = "${ubl}:Invoice-2" a="1">`),
    ).to.equal(true);
    expect(is(`<CreditNote xmlns="${ubl}:CreditNote-2"/>`)).to.equal(true);
    expect(is(`\uFEFF<Invoice xmlns="${ubl}:Invoice-2"/>`, 'utf16le')).to.equal(true);
  });

  it('are not files that only name them', () => {
    expect(is(`<Invoice xmlns="urn:somebody"/>`)).to.equal(false);
    expect(is(`<Invoice xmlns:ubl="${ubl}:Invoice-2"/>`)).to.equal(false);
    expect(is(`<list xmlns="${ubl}:Invoice-2"><Invoice/></list>`)).to.equal(false);
    expect(is(`<!DOCTYPE a [<!ENTITY b "c">]><Invoice xmlns="${ubl}:Invoice-2"/>`)).to.equal(false);
    for (const text of ['', '<', 'Invoice', '{"a": 1}', '<Invoice']) expect(is(text), text).to.equal(false);
  });

  it('are found in every file of the e-invoice corpus that has one', async function () {
    this.timeout(120_000);
    if (!existsSync(corpus)) this.skip();
    const [head = '', ...rows] = readFileSync(`${corpus}manifest.csv`, 'utf8').split('\n');
    const at = head.split(',').indexOf('kind');
    const wrong: string[] = [];
    const counts: Record<string, number> = {};
    for (const row of rows) {
      const [file = '', ...rest] = row.split(',');
      const kind = ['pdf-hybrid', 'cii', 'ubl-invoice', 'ubl-creditnote', 'fatturapa'].find(
        (one) => rest[at - 1] === one,
      );
      if (kind === undefined || !existsSync(corpus + file)) continue;
      counts[kind] = (counts[kind] ?? 0) + 1;
      const bytes = readFileSync(corpus + file);
      const found = file.toLowerCase().endsWith('.pdf')
        ? hasInvoice((await openPdf(bytes)).document.context)
        : isInvoice(bytes.subarray(0, ROOT_HEAD_BYTES));
      if (found !== (kind !== 'fatturapa')) wrong.push(`${kind} ${file}`);
    }
    expect(wrong.join('\n')).to.equal('');
    expect(counts['pdf-hybrid']).to.be.greaterThan(50);
  });
});
