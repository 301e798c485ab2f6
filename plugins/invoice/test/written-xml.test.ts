import { globSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { recogniseRoot } from '@quire/document/invoices/recognition';
import { readInvoice, writeInvoice } from '@quire/document/invoices/syntaxes';
import { checkSchema, type SchemaSyntax } from '../src/functions/schema.js';

const corpus = new URL('../../../../shared/einvoice/', import.meta.url).pathname;

describe('Written invoices', function () {
  this.timeout(120_000);

  const syntaxOf = (bytes: Uint8Array): SchemaSyntax | undefined => {
    const { kind } = recogniseRoot(bytes);
    return kind === 'cii' || kind === 'ubl-invoice' || kind === 'ubl-creditnote' ? kind : undefined;
  };

  it('are valid by the schema in both syntaxes, if the invoice was valid before', async () => {
    let count = 0;
    for (const name of globSync('**/*.{xml,XML}', { cwd: corpus })) {
      const bytes = readFileSync(corpus + name);
      const syntax = syntaxOf(bytes);
      // A credit note of UBL with the type code of an invoice, and without what an invoice needs.
      if (syntax === undefined || name.endsWith('ubl008.xml')) continue;
      if ((await checkSchema(bytes, syntax)).length > 0) continue;
      for (const target of ['cii', 'ubl'] as const) {
        const xml = Buffer.from(writeInvoice(readInvoice(bytes).invoice, { syntax: target }).xml);
        expect(await checkSchema(xml, syntaxOf(xml) ?? 'cii'), `${name} as ${target}`).to.deep.equal([]);
        count++;
      }
    }
    expect(count).to.be.greaterThan(250);
  });
});
