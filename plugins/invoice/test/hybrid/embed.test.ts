import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { profiles } from '@quire/document/invoices/profiles';
import { editFile, withPdf } from '@quire/document/file/open';
import { readAnnotations } from '@quire/document/structure/annotations';
import { claimNamespaces, findInvoicesIn } from '@quire/document/structure/invoices';
import { readXmp } from '@quire/document/structure/metadata';
import { outlineTitle, readOutlines } from '@quire/document/structure/outlines';
import { readPageLabels } from '@quire/document/structure/pages';
import { readPdf } from '@quire/plugin-kit';
import { errorText, isQuireError } from '@quire/registry/errors';
import { PDFDocument, PDFName } from 'pdf-lib';
import { einvoiceRows, einvoices } from '../../../../test/fixtures/einvoices.js';
import { ciiInvoice, ublInvoice } from '../../fixtures/invoice-texts.js';
import { detectInvoice } from '../../src/functions/hybrid/detect-invoice.js';
import { embeddedProfiles } from '../../src/functions/choices.js';
import { acceptedByVeraPdf, beginTrial, ciiOf, fixture, hasVeraPdf, type Trial } from './embed-support.js';

const page = fixture('page.pdf');
const handbook = fileURLToPath(new URL('../../../general/fixtures/handbook.pdf', import.meta.url));

/** Code and text of the error of a promise. */
const refusal = (promise: Promise<unknown>): Promise<readonly [string, string]> =>
  promise.then(
    () => ['none', ''] as const,
    (error: unknown) => {
      if (!isQuireError(error)) throw error;
      return [error.code, errorText(error.code, error.data)] as const;
    },
  );

describe('embedding an invoice', function () {
  this.timeout(60_000);
  let trial: Trial;
  before(async () => {
    trial = await beginTrial();
  });
  after(() => trial.end());

  it('produces PDF/A-3 that veraPDF accepts and that agrees with the XML, for every profile', async function () {
    const made: string[] = [];
    for (const id of embeddedProfiles) {
      const profile = profiles.find((one) => one.id === id);
      const xml = ciiOf(profile?.specification ?? '');
      const { path, facts } = await trial.embed(page, xml);
      made.push(path);
      const answer = await detectInvoice(path, 'pdf');
      expect(answer, id).to.deep.include({ found: true, profile: id, agrees: true, pdfa: '3B' });
      expect(answer.attachment, id).to.deep.include({
        name: id === 'xrechnung' ? 'xrechnung.xml' : 'factur-x.xml',
        relationship: id === 'minimum' || id === 'basic-wl' ? 'Data' : 'Alternative',
        mediaType: 'text/xml',
        size: Buffer.byteLength(xml),
        modified: '2026-11-28T10:00:00Z',
      });
      expect(answer.xmp, id).to.deep.equal([
        {
          namespace: claimNamespaces['factur-x'],
          documentType: 'INVOICE',
          fileName: answer.attachment?.name,
          version: id === 'xrechnung' ? '3.0' : '1.0',
          level: profile?.xmpLevel,
          schemaDeclared: true,
        },
      ]);
      expect(facts.way).to.equal('repaired');
      const [invoice] = (await findInvoicesIn({ path })).invoices;
      expect(Buffer.from(invoice?.bytes ?? []).toString(), id).to.equal(xml);
    }
    if (!hasVeraPdf) return this.skip();
    expect(acceptedByVeraPdf(made)).to.deep.equal(made.sort());
  });

  it('keeps bookmarks, page labels, links, text and other attachments', async () => {
    const source = await trial.write('with-note.pdf', await readFile(handbook));
    const document = await PDFDocument.load(await readFile(source), { updateMetadata: false });
    await document.attach(new TextEncoder().encode('ours'), 'note.txt', { mimeType: 'text/plain' });
    document.catalog.set(PDFName.of('PageMode'), PDFName.of('UseOutlines'));
    await trial.write('with-note.pdf', await document.save());
    const { path } = await trial.embed(source, ciiInvoice);
    const facts = (from: string) =>
      withPdf({ path: from }, {}, ({ document: { context, catalog }, pages }) => ({
        labels: readPageLabels(context, pages.length),
        outlines: readOutlines(context).map((node) => outlineTitle(context, node)),
        annotations: pages.map(({ dict }) => readAnnotations(context, dict).map(({ kind }) => kind)),
        mode: catalog.get(PDFName.of('PageMode'))?.toString(),
      }));
    expect(await facts(path)).to.deep.equal(await facts(source));
    const text = async (from: string) =>
      (await readPdf(new Uint8Array(await readFile(from)))).text.map((one) => one.trim());
    expect(await text(path)).to.deep.equal(await text(source));
    const names = (await detectInvoice(source, 'pdf')).otherAttachments.map(({ name }) => name);
    expect(names).to.include('note.txt');
    const { otherAttachments } = await detectInvoice(path, 'pdf');
    expect(otherAttachments.map(({ name, associated }) => [name, associated])).to.have.deep.members(
      names.map((name) => [name, true]),
    );
  });

  it('refuses a PDF that carries an invoice already, unless it is to be replaced', async function () {
    const [code, message] = await refusal(trial.embed(fixture('hybrid.pdf'), ciiInvoice));
    expect([code, message]).to.deep.equal([
      'INVOICE_EXISTS',
      'The PDF in "fileInput" already contains an invoice ("factur-x.xml").',
    ]);
    const xml = ciiOf('urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0').replace(
      'R-2026',
      'X-2026',
    );
    const { path, facts } = await trial.embed(fixture('hybrid.pdf'), xml, { existing: 'replace' });
    expect(facts).to.include({ replaced: 1, way: 'kept', attachment: 'xrechnung.xml' });
    const answer = await detectInvoice(path, 'pdf');
    expect(answer).to.deep.include({ profile: 'xrechnung', agrees: true, otherAttachments: [] });
    expect(answer.invoices).to.have.length(1);
    const xmp = await withPdf({ path }, {}, ({ document: { context } }) => readXmp(context) ?? '');
    expect([xmp.split('ConformanceLevel>').length, xmp.split('namespaceURI>').length]).to.deep.equal([3, 3]);
    if (!hasVeraPdf) return this.skip();
    expect(acceptedByVeraPdf([path])).to.deep.equal([path]);
  });

  it('replaces every invoice of a real file, whatever version of the standard described it', async function () {
    const rows = einvoiceRows()?.filter(({ kind }) => kind === 'pdf-hybrid');
    if (rows === undefined) return this.skip();
    const names = ['ZUGFeRD1and2', '20140703_502', 'additional-data-sample-1', 'acme_invoice-42', 'XRECHNUNG_Elektron'];
    const chosen = rows.filter(({ file }) => names.some((name) => file.includes(name)));
    expect(chosen.length).to.be.greaterThan(2);
    for (const { file } of chosen) {
      const before = await detectInvoice(einvoices + file, 'pdf');
      const { path, facts } = await trial.embed(einvoices + file, ciiInvoice, { existing: 'replace' });
      const after = await detectInvoice(path, 'pdf');
      expect(facts.replaced, file).to.equal(before.invoices.length);
      expect([after.agrees, after.invoices.length, after.xmp.length], file).to.deep.equal([true, 1, 1]);
      expect(after.otherAttachments.map(({ name }) => name).sort(), file).to.deep.equal(
        before.otherAttachments.map(({ name }) => name).sort(),
      );
    }
  });

  it('embeds supporting documents as supplements, and never in place of another file', async () => {
    const time = await trial.write('time.csv', 'hours;8');
    const sheet = (name: string) => ({ name, path: time, size: 7, mediaType: 'text/csv' });
    const { path } = await trial.embed(page, ciiInvoice, { supplements: [sheet('time.csv'), sheet('time.csv')] });
    const { otherAttachments } = await detectInvoice(path, 'pdf');
    expect(otherAttachments.map(({ name, relationship, mediaType }) => [name, relationship, mediaType])).to.deep.equal([
      ['time.csv', 'Supplement', 'text/csv'],
      ['time_1.csv', 'Supplement', 'text/csv'],
    ]);
    for (const name of ['factur-x.xml', 'Factur-X.XML', 'zugferd-invoice.xml']) {
      const [code] = await refusal(trial.embed(page, ciiInvoice, { supplements: [sheet(name)] }));
      expect(code, name).to.equal('ATTACHMENT_NAME_TAKEN');
    }
    const [code, message] = await refusal(
      trial.embed(path, ciiInvoice, { existing: 'replace', supplements: [sheet('TIME.csv')] }),
    );
    expect([code, message]).to.deep.equal([
      'ATTACHMENT_NAME_TAKEN',
      'The PDF already has an attachment named "TIME.csv"; delete it first or choose another name.',
    ]);
  });

  it('lets the XML decide the profile, and refuses a call that expects another', async () => {
    const [code, message] = await refusal(trial.embed(page, ciiInvoice, { profile: 'basic' }));
    expect(code).to.equal('INPUT_INVALID');
    expect(message).to.contain('"profile" is "basic"').and.to.contain('"en16931"').and.to.contain('BT-24');
    const { facts } = await trial.embed(page, ciiInvoice, { profile: 'en16931', relationship: 'Source' });
    expect(facts.relationship).to.equal('Source');
    const [wrong, why] = await refusal(
      trial.embed(page, ciiOf('urn:factur-x.eu:1p0:minimum'), { relationship: 'Alternative' }),
    );
    expect([wrong, why]).to.deep.equal([
      'INPUT_INVALID',
      '"relationship" is "Alternative", but Factur-X MINIMUM has to be embedded as "Data"',
    ]);
  });

  it('refuses what has no place in a PDF, and says what to do', async () => {
    const cases: readonly (readonly [string, string | Uint8Array, string, RegExp])[] = [
      ['UBL', ublInvoice, 'INVOICE_NOT_EMBEDDABLE', /UBL invoice.*\/api\/v1\/invoice\/convert/],
      ['a foreign profile', ciiOf('urn:example'), 'INVOICE_NOT_EMBEDDABLE', /"urn:example".*use one of.*MINIMUM/],
      ['no profile', ciiOf(''), 'INVOICE_NOT_EMBEDDABLE', /is missing/],
      ['no XML', '{"a": 1}', 'INVOICE_UNREADABLE', /"invoice" cannot be read/],
      ['an empty element', '<a/>', 'INVOICE_UNREADABLE', /not an invoice/],
      [
        'a document type',
        ciiInvoice.replace(
          '<rsm:CrossIndustryInvoice',
          '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n<rsm:CrossIndustryInvoice',
        ),
        'INVOICE_UNREADABLE',
        /DOCTYPE/,
      ],
      ['a cut file', ciiInvoice.slice(0, 2000), 'INVOICE_UNREADABLE', /well-formed/],
    ];
    for (const [name, xml, code, pattern] of cases) {
      const [found, message] = await refusal(trial.embed(page, xml));
      expect(found, `${name}: ${message}`).to.equal(code);
      expect(message, name).to.match(pattern);
    }
  });

  it('refuses to return what the validator does not accept', async () => {
    const [code] = await refusal(
      trial.embed(fixture('hybrid.pdf'), ciiInvoice, { existing: 'replace', compliant: false }),
    );
    expect(code).to.equal('PDFA_IMPOSSIBLE');
  });

  it('removes encryption that needs no password, which PDF/A forbids', async () => {
    const locked = `${trial.folder}/locked.pdf`;
    await editFile(
      fixture('page.pdf'),
      locked,
      { mode: 'rewrite', protection: { scheme: 'AES-256', ownerPassword: 'owner', permissions: -4 } },
      () => undefined,
    );
    const { path } = await trial.embed(locked, ciiInvoice);
    expect((await readFile(path)).includes('/Encrypt')).to.equal(false);
    expect((await detectInvoice(path, 'pdf')).agrees).to.equal(true);
  });
});
