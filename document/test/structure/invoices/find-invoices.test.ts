import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { PDFDocument, PDFName, PDFString } from 'pdf-lib';
import { editBytes } from '../../../file/open/index.js';
import { writeXmp } from '../../../structure/metadata/index.js';
import { findInvoicesIn } from '../../../structure/invoices/index.js';
import { einvoiceRows, einvoices } from '../../../../test/fixtures/einvoices.js';

const cii = '<rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"/>';

interface Embedded {
  readonly name: string;
  readonly data: string | Uint8Array;
  readonly where?: 'both' | 'list' | 'association';
}

/** A page with files embedded the way writers do it, `AFRelationship` Alternative. */
async function withFiles(files: readonly Embedded[], xmp?: string): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.addPage([100, 100]);
  const { context } = document;
  const [names, associated]: [unknown[], unknown[]] = [[], []];
  for (const { name, data, where = 'both' } of files) {
    const stream = context.stream(data, {
      Type: 'EmbeddedFile',
      Subtype: 'text/xml',
      ...(typeof data === 'string' ? {} : { Filter: 'FlateDecode' }),
      Params: { ModDate: PDFString.of("D:20240229120000+01'00'") },
    });
    const spec = context.register(
      context.obj({
        Type: 'Filespec',
        F: PDFString.of(name),
        UF: PDFString.of(name),
        EF: { F: context.register(stream) },
        AFRelationship: 'Alternative',
      }),
    );
    if (where !== 'association') names.push(PDFString.of(name), spec);
    if (where !== 'list') associated.push(spec);
  }
  document.catalog.set(PDFName.of('Names'), context.obj({ EmbeddedFiles: { Names: names as never } }));
  document.catalog.set(PDFName.of('AF'), context.obj(associated as never));
  if (xmp !== undefined) document.catalog.set(PDFName.of('Metadata'), writeXmp(context, xmp));
  return document.save();
}

const found = async (files: readonly Embedded[], xmp?: string) => findInvoicesIn(await withFiles(files, xmp));

describe('invoices in PDFs', () => {
  it('are found with the place where the document refers to them', async () => {
    const { invoices, others, claims, pdfa } = await found([
      { name: 'terms.txt', data: 'terms' },
      { name: 'factur-x.xml', data: cii },
    ]);
    expect(invoices).to.have.length(1);
    expect(invoices[0]).to.include({
      filename: 'factur-x.xml',
      relationship: 'Alternative',
      contentType: 'text/xml',
      modificationDate: '2024-02-29T12:00:00+01:00',
      listed: true,
      associated: true,
      fault: undefined,
    });
    expect(Buffer.from(invoices[0]?.bytes ?? []).toString()).to.equal(cii);
    expect(others.map(({ filename }) => filename)).to.deep.equal(['terms.txt']);
    expect(claims).to.deep.equal([]);
    expect(pdfa).to.equal(undefined);
  });

  it('are found in one of the two lists only', async () => {
    const { invoices } = await found([
      { name: 'zugferd-invoice.xml', data: cii, where: 'association' },
      { name: 'other.xml', data: cii, where: 'list' },
    ]);
    expect(invoices.map(({ filename, listed, associated }) => [filename, listed, associated])).to.deep.equal([
      ['zugferd-invoice.xml', false, true],
      ['other.xml', true, false],
    ]);
  });

  it('come in the order of the names that the specifications demand, whatever the order in the file', async () => {
    const { invoices } = await found(
      ['a.xml', 'ZUGFeRD-invoice.xml', 'zugferd-invoice.xml', 'xrechnung.xml', 'factur-x.xml'].map((name) => ({
        name,
        data: cii,
      })),
    );
    expect(invoices.map(({ filename }) => filename)).to.deep.equal([
      'factur-x.xml',
      'xrechnung.xml',
      'zugferd-invoice.xml',
      'ZUGFeRD-invoice.xml',
      'a.xml',
    ]);
  });

  it('include what only the name says is one, after those that are', async () => {
    const { invoices } = await found([
      { name: 'factur-x.xml', data: '{"not": "XML"}' },
      { name: 'invoice.xml', data: cii },
      { name: 'plain.xml', data: '<a/>' },
    ]);
    expect(invoices.map(({ filename, fault }) => [filename, fault])).to.deep.equal([
      ['invoice.xml', undefined],
      ['factur-x.xml', 'no invoice'],
    ]);
  });

  it('that inflate without end are not read', async () => {
    const bomb = deflateSync(Buffer.alloc(300 * 1024 ** 2));
    const { invoices, others } = await found([
      { name: 'factur-x.xml', data: bomb },
      { name: 'other.xml', data: bomb },
    ]);
    expect(invoices.map(({ fault, bytes }) => [fault, bytes.length])).to.deep.equal([['too large', 0]]);
    expect(others.map(({ filename }) => filename)).to.deep.equal(['other.xml']);
  });

  it('are found by name among any number of files, and by their root element among some hundred', async () => {
    const crowd = Array.from({ length: 600 }, (_, i) => ({ name: `${i}.xml`, data: '<a/>' }));
    const { invoices, others } = await found([
      ...crowd,
      { name: 'late.xml', data: cii },
      { name: 'factur-x.xml', data: cii },
    ]);
    expect(invoices.map(({ filename }) => filename)).to.deep.equal(['factur-x.xml']);
    expect(others).to.have.length(601);
  });

  it('are read from a file that opens without a password', async () => {
    const plain = await withFiles([{ name: 'factur-x.xml', data: cii }]);
    const locked = await editBytes(
      plain,
      { mode: 'rewrite', protection: { scheme: 'AES-256', ownerPassword: 'owner', permissions: -4 } },
      () => undefined,
    );
    expect(Buffer.from(locked).includes('/Encrypt')).to.equal(true);
    expect((await findInvoicesIn(locked)).invoices).to.have.length(1);
  });

  it('have a claim in XMP as elements or attributes, in each of the four namespaces', async () => {
    const namespaces = {
      'factur-x': 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#',
      zugferd2: 'urn:zugferd:pdfa:CrossIndustryDocument:invoice:2p0#',
      zugferd1: 'urn:ferd:pdfa:CrossIndustryDocument:invoice:1p0#',
      'zugferd1-draft': 'urn:ferd:pdfa:invoice:rc#',
    };
    const descriptions = Object.values(namespaces).map((uri, i) =>
      i % 2 === 0
        ? `<rdf:Description xmlns:p${i}="${uri}"><p${i}:ConformanceLevel>EN 16931</p${i}:ConformanceLevel></rdf:Description>`
        : `<rdf:Description xmlns:p${i}="${uri}" p${i}:DocumentFileName="a&amp;b.xml"/>`,
    );
    const { claims } = await found(
      [],
      `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="r">${descriptions.join('')}</rdf:RDF></x:xmpmeta>`,
    );
    expect(
      claims.map(({ by, level, fileName, schemaDeclared }) => [by, level, fileName, schemaDeclared]),
    ).to.deep.equal([
      ['factur-x', 'EN 16931', undefined, false],
      ['zugferd2', undefined, 'a&b.xml', false],
      ['zugferd1', 'EN 16931', undefined, false],
      ['zugferd1-draft', undefined, 'a&b.xml', false],
    ]);
  });

  it('are read as the manifest of the e-invoice collection says of each PDF', async function () {
    this.timeout(120_000);
    const rows = einvoiceRows()?.filter(({ kind }) => kind === 'pdf-hybrid');
    if (rows === undefined) return this.skip();
    const wrong: string[] = [];
    for (const row of rows) {
      const { invoices, others, claims, pdfa } = await findInvoicesIn(readFileSync(einvoices + row.file));
      const [invoice] = invoices;
      const [claim] = claims;
      const all = [...invoices, ...others];
      const order = (row.attachment ?? '').split(';');
      const listed = (read: (one: (typeof all)[number] | undefined) => string | null | undefined): string =>
        order.map((name) => read(all.find(({ filename }) => filename === name)) ?? '').join(';');
      const answer: Record<string, string> = {
        attachment: listed((one) => one?.filename),
        af_relationship: listed((one) => one?.relationship),
        attachment_mime: listed((one) => one?.contentType),
        catalog_af: all.some(({ associated }) => associated) ? 'yes' : 'no',
        xmp_conformance: claim?.level ?? '',
        xmp_filename: claim?.fileName ?? '',
        xmp_version: claim?.version ?? '',
        xmp_namespace: claim?.namespace ?? '',
        xmp_extension_schema: claim?.schemaDeclared === true ? 'yes' : 'no',
        pdfa: `${pdfa?.part}${pdfa?.conformance}`,
        embedded_sha256: createHash('sha256')
          .update(invoice?.bytes ?? '')
          .digest('hex'),
        files: String(all.length),
      };
      for (const [column, value] of Object.entries(answer)) {
        const expected = column === 'files' ? String(order.length) : row[column];
        if (value !== expected) wrong.push(`${row.file} ${column}: ${value} instead of ${expected}`);
      }
    }
    expect(wrong.join('\n')).to.equal('');
    expect(rows.length).to.be.greaterThan(80);
  });
});
