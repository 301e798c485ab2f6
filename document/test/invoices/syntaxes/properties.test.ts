import { expect } from 'chai';
import type { Invoice } from '../../../invoices/model/index.js';
import { profileById, profiles } from '../../../invoices/profiles/index.js';
import { readInvoice, type WriteTarget, writeInvoice } from '../../../invoices/syntaxes/index.js';
import { isNightly } from '../../../../test/suites/nightly.js';
import { fullInvoice, randomInvoice } from './random-invoice.js';

/** All values with their paths; those of a repeated identifier without their order. */
function flatten(value: unknown, path = ''): readonly string[] {
  if (typeof value === 'string') return [`${path} = ${value.trim()}`];
  const isIdentifiers = /identifiers$|classifications$/i.test(path);
  return Object.entries(value as object).flatMap(([key, member]) =>
    flatten(
      member,
      isIdentifiers ? `${path}[]` : path === '' ? key : Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`,
    ),
  );
}

describe('Any invoice', () => {
  const targets: readonly WriteTarget[] = [
    { syntax: 'cii' },
    { syntax: 'ubl' },
    ...profiles
      .filter(({ standard }) => standard !== 'zugferd1')
      .flatMap(({ id }) => [
        { syntax: 'cii' as const, profile: id },
        { syntax: 'ubl' as const, profile: id },
      ]),
  ];

  it('with every term of EN 16931 is kept whole by CII and UBL, as invoice and as credit note', () => {
    for (const typeCode of ['380', '381'])
      for (const syntax of ['cii', 'ubl'] as const) {
        const invoice: Invoice = { ...fullInvoice('en16931'), typeCode };
        // CII D16B has one reference to an invoice.
        const { precedingInvoices = [], ...rest } = invoice;
        const held = { ...rest, precedingInvoices: precedingInvoices.slice(0, syntax === 'cii' ? 1 : 2) };
        const { xml, lost } = writeInvoice(held, { syntax });
        expect(lost).to.deep.equal([]);
        const again = readInvoice(Buffer.from(xml));
        expect(flatten(again.invoice).toSorted()).to.deep.equal(flatten(held).toSorted());
        expect(again.unread).to.deep.equal([]);
      }
  });

  it('with every term of Factur-X EXTENDED is kept whole by CII, and loses to UBL what is listed', () => {
    const held = fullInvoice('extended');
    const { xml, lost } = writeInvoice(held, { syntax: 'cii', profile: 'extended' });
    expect(lost).to.deep.equal([]);
    const again = readInvoice(Buffer.from(xml));
    const specification = profileById('extended').specification;
    expect(flatten(again.invoice).toSorted()).to.deep.equal(
      flatten({ ...held, process: { ...held.process, specification } }).toSorted(),
    );
    expect(again.unread).to.deep.equal([]);
    const core = flatten(fullInvoice('en16931')).length;
    const inUbl = writeInvoice(held, { syntax: 'ubl', profile: 'en16931' });
    expect(inUbl.lost.length).to.be.greaterThan(250);
    expect(flatten(readInvoice(Buffer.from(inUbl.xml)).invoice).length).to.be.at.least(core);
  });

  it('is found again value by value, or the value is listed as lost', () => {
    for (let seed = 1; seed <= (isNightly ? 120 : 30); seed++) {
      const invoice = randomInvoice(seed, seed % 2 === 0 ? 'extended' : 'en16931');
      for (const target of targets) {
        const { xml, lost } = writeInvoice(invoice, target);
        const again = new Set(flatten(readInvoice(Buffer.from(xml)).invoice));
        const listed = lost.map(({ path }) => path.replace(/((?:identifiers|classifications))\[\d+\]$/i, '$1[]'));
        const missing = flatten(invoice).filter(
          (line) =>
            !again.has(line) &&
            !line.startsWith('process.specification') &&
            !listed.some(
              (path) =>
                line.startsWith(`${path} `) ||
                line.startsWith(`${path}.`) ||
                (path.endsWith('[]') && line.startsWith(path)),
            ),
        );
        expect(missing, `seed ${seed}, ${JSON.stringify(target)}`).to.deep.equal([]);
      }
    }
  }).timeout(120_000);

  it('is not lost in part for a reason of its own: most random invoices lose only what the syntax lacks', () => {
    let kept = 0;
    for (let seed = 1; seed <= 60; seed++) {
      const invoice = randomInvoice(seed, 'en16931');
      const all = flatten(invoice).length;
      for (const syntax of ['cii', 'ubl'] as const) if (writeInvoice(invoice, { syntax }).lost.length < all / 2) kept++;
    }
    expect(kept).to.be.greaterThan(110);
  });
});
