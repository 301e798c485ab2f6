import { globSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Invoice } from '../../../invoices/model/index.js';
import { isReadable, kindOf, recogniseRoot } from '../../../invoices/recognition/index.js';
import {
  parseInvoiceXml,
  readInvoice,
  readInvoiceElement,
  writeInvoice,
  type XmlElement,
} from '../../../invoices/syntaxes/index.js';

const corpus = new URL('../../../../../shared/einvoice/', import.meta.url).pathname;

/** What a schema demands is added: it is no part of the comparison. */
function withoutAdded(before: Invoice, after: Invoice): Invoice {
  const lines = after.lines?.map((line, index) => {
    const original = before.lines?.[index]?.price;
    const { discount, gross, ...price } = line.price ?? {};
    if (line.price === undefined) return line;
    return {
      ...line,
      price: {
        ...price,
        ...(original?.discount === undefined ? {} : { discount }),
        ...(original?.gross === undefined ? {} : { gross }),
      },
    };
  });
  return { ...after, ...(lines === undefined ? {} : { lines }) };
}

/** Identifiers of the seller are a set: CII has those with a scheme last. */
function sorted(invoice: Invoice): Invoice {
  const identifiers = invoice.seller?.identifiers?.toSorted((one, other) => (one.value < other.value ? -1 : 1));
  const seller = identifiers === undefined ? invoice.seller : { ...invoice.seller, identifiers };
  return { ...invoice, ...(seller === undefined ? {} : { seller }) };
}

/** JSON has no order of keys and no undefined. */
const plain = (invoice: Invoice): unknown => JSON.parse(JSON.stringify(sorted(invoice)));

describe('Round trips of the collected invoices', function () {
  this.timeout(120_000);
  const files = globSync('**/*.{xml,XML}', { cwd: corpus }).map((name) => corpus + name);
  const invoices = files.filter((file) => isReadable(recogniseRoot(readFileSync(file)).kind));

  before(() => expect(invoices.length).to.be.greaterThan(150));

  it('keep everything in the same syntax: read, write, read', () => {
    for (const file of invoices) {
      const { invoice, syntax } = readInvoice(readFileSync(file));
      const target = syntax.startsWith('ubl') ? 'ubl' : 'cii';
      const { xml, lost } = writeInvoice(invoice, { syntax: target });
      expect(lost, file).to.deep.equal([]);
      const again = readInvoice(Buffer.from(xml));
      expect(plain(withoutAdded(invoice, again.invoice)), file).to.deep.equal(plain(invoice));
      expect(again.unread, file).to.deep.equal([]);
    }
  });

  it('keep everything that the other syntax can hold: CII to UBL to CII, and UBL to CII to UBL', () => {
    for (const file of invoices) {
      const { invoice, syntax } = readInvoice(readFileSync(file));
      const [same, other] = syntax.startsWith('ubl') ? (['ubl', 'cii'] as const) : (['cii', 'ubl'] as const);
      const there = writeInvoice(invoice, { syntax: other });
      const lost = there.lost.map(({ term, path }) => `${term} ${path}`);
      // Only the extension of XRechnung, a second preceding invoice in CII, and what Factur-X EXTENDED adds.
      expect(
        lost.filter((one) => !/subLines|thirdPartyPayments|precedingInvoices\[1\]|BT-X-|BT-\d+-0 |further/.test(one)),
        file,
      ).to.deep.equal([]);
      const back = writeInvoice(readInvoice(Buffer.from(there.xml)).invoice, { syntax: same });
      const found = readInvoice(Buffer.from(back.xml)).invoice;
      if (lost.length > 0) continue;
      const added = invoice.payment?.meansCode === undefined && found.payment?.meansCode === '1';
      const { meansCode, ...payment } = found.payment ?? {};
      const compared = added ? { ...found, payment } : found;
      expect([undefined, '1', invoice.payment?.meansCode]).to.include(meansCode);
      const vat = invoice.totals?.vat === undefined && found.totals?.vat !== undefined;
      const { vat: _derived, ...totals } = compared.totals ?? {};
      expect(plain(withoutAdded(invoice, vat ? { ...compared, totals } : compared)), file).to.deep.equal(
        plain(invoice),
      );
    }
  });

  it('read every fragment of the unit tests without a fault, and write what was read', () => {
    let count = 0;
    for (const file of files) {
      const bytes = readFileSync(file);
      if (!bytes.includes('testSet')) continue;
      for (const root of invoicesIn(parseInvoiceXml(bytes))) {
        const { invoice, syntax } = readInvoiceElement(root);
        const { xml } = writeInvoice(invoice, { syntax: syntax === 'cii' ? 'cii' : 'ubl' });
        expect(() => readInvoice(Buffer.from(xml)), file).not.to.throw();
        count++;
      }
    }
    expect(count).to.be.greaterThan(500);
  });

  function invoicesIn(element: XmlElement): readonly XmlElement[] {
    if (isReadable(kindOf(element.name, element.namespace))) return [element];
    return element.children.flatMap(invoicesIn);
  }
});
