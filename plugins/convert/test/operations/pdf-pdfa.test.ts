import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createTestServer, type QuireServer } from '@quire/core';
import { withPdf } from '@quire/document/file/open';
import { acroFormOf, allFieldNodes, isField, readFields } from '@quire/document/forms/fields';
import { readAnnotations } from '@quire/document/structure/annotations';
import { readAttachments } from '@quire/document/structure/attachments';
import { readOutlines } from '@quire/document/structure/outlines';
import { readPageLabels } from '@quire/document/structure/pages';
import { readXmp } from '@quire/document/structure/metadata';
import { callOperation, type FormFile, type OperationAnswer } from '@quire/plugin-kit';
import { expect } from 'chai';
import Joi from 'joi';
import { PDFArray, PDFDict, PDFDocument, PDFHexString, PDFName, type PDFPage, StandardFonts } from 'pdf-lib';
import { pdfPdfa } from '../../src/operations/from-pdf/pdf-pdfa.op.js';
import { everythingIn } from '../../../../document/test/support.js';

/** Not started: veraPDF would start Java. */
const has = (command: string): boolean =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, command)));
interface Report {
  readonly way: string;
  readonly checked: boolean;
  readonly compliant: boolean;
  readonly claims: string;
  readonly broken?: string;
  readonly lostFiles: number;
  readonly lostActions: number;
}
const reportOf = (answer: OperationAnswer): Report => JSON.parse(answer.headers.get('x-tool-report') ?? '{}') as Report;
const handbook = async (): Promise<FormFile> => ({
  name: 'handbook.pdf',
  bytes: new Uint8Array(await readFile(new URL('../../../general/fixtures/handbook.pdf', import.meta.url))),
});

/** A document with text, and what `add` gives its page. */
async function drawn(
  add: (pdf: PDFDocument, page: PDFPage) => void | Promise<void>,
  name = 'drawn.pdf',
): Promise<FormFile> {
  const pdf = await PDFDocument.create({ updateMetadata: false });
  pdf.setTitle('Ein Titel – 題');
  const page = pdf.addPage([300, 200]);
  page.drawText('Text on the page', { x: 30, y: 150, size: 14, font: await pdf.embedFont(StandardFonts.TimesRoman) });
  await add(pdf, page);
  return { name, bytes: await pdf.save() };
}
const draw = (page: PDFPage, content: string): void =>
  page.node.addContentStream(page.doc.context.register(page.doc.context.stream(content)));

describe('pdf/pdfa over HTTP', function () {
  this.timeout(120_000);
  let server: QuireServer;
  let url: string;
  let folder: string;
  before(async function () {
    if (!has('gs') || !has('verapdf')) return this.skip();
    server = await createTestServer({ plugins: ['@quire/plugin-convert'] });
    url = await server.start();
    folder = await mkdtemp(join(tmpdir(), 'quire-pdfa-'));
  });
  after(async () => {
    await server?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });
  const call = (file: FormFile, params: Record<string, unknown>, base = url): Promise<OperationAnswer> =>
    callOperation(base, { path: 'convert/pdf/pdfa', files: [file], params });
  /** The look of the pages, and their text, by poppler. */
  const seen = async (bytes: Uint8Array): Promise<{ samples: Buffer; text: string }> => {
    await writeFile(join(folder, 'seen.pdf'), bytes);
    return {
      samples: execFileSync('pdftoppm', ['-r', '50', '-gray', join(folder, 'seen.pdf')], { maxBuffer: 1e8 }),
      text: execFileSync('pdftotext', [join(folder, 'seen.pdf'), '-'], { encoding: 'utf8' }),
    };
  };
  const looksLike = async (result: Uint8Array, source: Uint8Array): Promise<void> => {
    const [a, b] = [await seen(result), await seen(source)];
    expect(a.samples.length).to.equal(b.samples.length);
    expect(
      a.samples.reduce((sum, value, i) => sum + Math.abs(value - b.samples[i]!), 0) / a.samples.length / 255,
    ).to.be.lessThan(0.01);
    expect(a.text.trim()).to.equal(b.text.trim());
  };

  it('takes the formats of existing clients in any case, everything that begins with pdfx, and 2b for all else', () => {
    const { error, value: none } = pdfPdfa.params(Joi).validate({});
    expect([error, none]).to.deep.equal([undefined, { outputFormat: 'pdfa-2b', strict: false }]);
    const format = (value: string): string =>
      (pdfPdfa.params(Joi).validate({ outputFormat: value }) as { value: { outputFormat: string } }).value.outputFormat;
    expect(['PDFA-1', ' pdfa-3B ', 'pdfa-2u', 'PDFX', 'pdfx-1a', 'pdfa-4', '', 'x'].map(format)).to.deep.equal([
      'pdfa-1',
      'pdfa-3b',
      'pdfa-2u',
      'pdfx',
      'pdfx',
      'pdfa-2b',
      'pdfa-2b',
      'pdfa-2b',
    ]);
  });

  it('puts a document right in place: fonts embedded, all else as it was', async () => {
    const source = await handbook();
    const answer = await call(source, { outputFormat: 'PDFA' });
    expect([answer.status, answer.fileName]).to.deep.equal([200, 'handbook_PDFA-2b.pdf']);
    expect(reportOf(answer)).to.include({ way: 'repaired', checked: true, compliant: true, claims: 'PDF/A-2b' });
    const facts = (bytes: Uint8Array) =>
      withPdf(bytes, {}, ({ document: { context }, pages }) => ({
        outline: readOutlines(context).length,
        links: pages.flatMap(({ dict }) => readAnnotations(context, dict)).filter(({ kind }) => kind === 'Link').length,
        labels: readPageLabels(context, pages.length),
      }));
    expect(await facts(answer.bytes)).to.deep.equal(await facts(source.bytes));
    await looksLike(answer.bytes, source.bytes);
    expect(execFileSync('pdffonts', [join(folder, 'seen.pdf')], { encoding: 'utf8' })).to.not.be.empty;
  });

  it('gives fields appearances, takes scripts out, and relates and types the files of part 3, in place', async () => {
    // Fields, scripts and a file in one document: each check costs a second.
    const source = await drawn(async (pdf, page) => {
      await pdf.attach(new TextEncoder().encode('a,b'), 'data.csv');
      const field = pdf.getForm().createTextField('name');
      field.setText('Grüße');
      field.addToPage(page, { x: 30, y: 80, width: 120, height: 20 });
      pdf.getForm().createCheckBox('yes').addToPage(page, { x: 200, y: 80, width: 20, height: 20 });
      pdf.addJavaScript('s', 'app.alert(1)');
      pdf.catalog.set(
        PDFName.of('OpenAction'),
        pdf.context.obj({ S: 'JavaScript', JS: PDFHexString.fromText('app.alert(2)') }),
      );
    });
    const answer = await call(source, { outputFormat: 'pdfa-3u', strict: true });
    expect([answer.fileName, reportOf(answer)]).to.deep.equal([
      'drawn_PDFA-3u.pdf',
      { ...reportOf(answer), way: 'repaired', compliant: true, claims: 'PDF/A-3u', lostActions: 2, lostFiles: 0 },
    ]);
    expect(
      await withPdf(answer.bytes, {}, ({ document: { context } }) => [
        acroFormOf(context) !== undefined,
        [...allFieldNodes(readFields(context))].filter(isField).length,
      ]),
    ).to.deep.equal([true, 2]);
    expect(await everythingIn(answer.bytes)).to.not.include('app.alert');
    expect(await withPdf(answer.bytes, {}, ({ document: { context } }) => readXmp(context) ?? '')).to.contain(
      'Ein Titel – 題',
    );
    const specs = await withPdf(answer.bytes, {}, ({ document: { context }, pages }) =>
      readAttachments(context, pages).map(({ name, spec, file }) => [
        name,
        spec.get(PDFName.of('AFRelationship'))?.toString(),
        file?.dict.get(PDFName.of('Subtype'))?.toString(),
      ]),
    );
    expect(specs).to.deep.equal([['data.csv', '/Unspecified', '/application#2Foctet-stream']]);
  });

  it('lets Ghostscript redraw pages with forbidden colours or transparency, and keeps their links', async () => {
    const link = (pdf: PDFDocument, page: PDFPage): void => {
      const annotation = pdf.context.obj({
        Type: 'Annot',
        Subtype: 'Link',
        Rect: [20, 20, 90, 40],
        A: { S: 'URI', URI: PDFHexString.fromText('https://example.org') },
      });
      page.node.set(PDFName.of('Annots'), pdf.context.obj([pdf.context.register(annotation)]));
    };
    const cmyk = await drawn((pdf, page) => {
      draw(page, '0.9 0.1 0 0.2 k 150 20 100 60 re f');
      page.setMediaBox(-20, -30, 300, 200);
      link(pdf, page);
    });
    const answer = await call(cmyk, { outputFormat: 'pdfa-2b' });
    expect(reportOf(answer)).to.include({ way: 'pages', compliant: true });
    await looksLike(answer.bytes, cmyk.bytes);
    expect(
      await withPdf(answer.bytes, {}, ({ document: { context }, pages }) =>
        readAnnotations(context, pages[0]!.dict).map(({ kind }) => kind),
      ),
    ).to.deep.equal(['Link']);
    const glass = await drawn((pdf, page) => {
      page.node.set(
        PDFName.of('Resources'),
        pdf.context.obj({
          ...Object.fromEntries(
            page.node
              .Resources()!
              .entries()
              .map(([key, value]) => [key.decodeText(), value]),
          ),
          ExtGState: { G: { ca: 0.4 } },
        }),
      );
      draw(page, 'q /G gs 1 0 0 rg 20 20 200 150 re f Q');
      return pdf.attach(new TextEncoder().encode('a,b'), 'data.csv');
    });
    const flat = await call(glass, { outputFormat: 'pdfa-1' });
    expect(reportOf(flat)).to.include({ way: 'pages', compliant: true, claims: 'PDF/A-1b', lostFiles: 1 });
    expect([flat.fileName, Buffer.from(flat.bytes).toString('latin1', 0, 8)]).to.deep.equal([
      'drawn_PDFA-1b.pdf',
      '%PDF-1.4',
    ]);
  });

  it('refuses what no way makes compliant when strict, and names the rules', async () => {
    // Pages of less than three units are none for PDF/A, whoever draws them (ISO 19005-2, 6.1.13).
    const refused = await call(await drawn((_pdf, page) => page.setMediaBox(0, 0, 2, 2)), {
      outputFormat: 'pdfa-2b',
      strict: true,
    });
    expect([refused.status, refused.code]).to.deep.equal([400, 'PDFA_IMPOSSIBLE']);
    expect(refused.json<{ detail: string }>().detail)
      .to.contain('PDF/A-2b')
      .and.contain('ISO 19005-2')
      .and.contain('6.1.13');
  });

  it("makes PDF/X-4: RGB with an output device's profile, boxes, metadata, and no annotation", async () => {
    const source = await drawn((pdf, page) => {
      draw(page, '0.9 0.1 0 0.2 k 150 20 100 60 re f');
      page.node.set(
        PDFName.of('Annots'),
        pdf.context.obj([{ Type: 'Annot', Subtype: 'Link', Rect: [20, 20, 90, 40], Border: [0, 0, 0] }]),
      );
    });
    const answer = await call(source, { outputFormat: 'PdfX', strict: true });
    expect([answer.status, answer.fileName, Buffer.from(answer.bytes).toString('latin1', 0, 8)]).to.deep.equal([
      200,
      'drawn_PDFX.pdf',
      '%PDF-1.6',
    ]);
    expect(reportOf(answer)).to.include({ standard: 'PDF/X-4', compliant: true, claims: 'PDF/X-4' } as never);
    await looksLike(answer.bytes, source.bytes);
    const pdf = await PDFDocument.load(answer.bytes, { updateMetadata: false });
    const intent = pdf.catalog.lookup(PDFName.of('OutputIntents'), PDFArray).lookup(0, PDFDict);
    expect(intent.get(PDFName.of('S'))?.toString()).to.equal('/GTS_PDFX');
    expect([
      pdf.getPage(0).node.has(PDFName.of('TrimBox')),
      pdf.getPage(0).node.has(PDFName.of('Annots')),
    ]).to.deep.equal([true, false]);
    await writeFile(join(folder, 'x.pdf'), answer.bytes);
    expect(execFileSync('pdfinfo', [join(folder, 'x.pdf')], { encoding: 'utf8' })).to.contain('PDF/X-4');
    expect(
      execFileSync('pdffonts', [join(folder, 'x.pdf')], { encoding: 'utf8' })
        .split('\n')
        .slice(2)
        .filter((line) => line !== '' && !/ yes (?:yes|no) +(?:yes|no) +\d+ +\d+$/.test(line)),
    ).to.deep.equal([]);
  });

  it('reports an unchecked result without veraPDF, which strict needs, and names Ghostscript', async () => {
    const blind = await createTestServer({
      plugins: ['@quire/plugin-convert'],
      settings: { system: { customPaths: { operations: { verapdf: '/nowhere/verapdf' } } } },
    });
    const alone = await createTestServer({
      plugins: ['@quire/plugin-convert'],
      settings: { endpoints: { groupsToRemove: ['Ghostscript'] } },
    });
    try {
      const [unchecked, repaired] = [await blind.start(), await alone.start()];
      const source = await handbook();
      const answer = await call(source, {}, unchecked);
      expect(reportOf(answer)).to.include({ checked: false, compliant: false, claims: 'PDF/A-2b', way: 'whole' });
      const strict = await call(source, { strict: true }, unchecked);
      expect([strict.status, strict.code, strict.json<{ detail: string }>().detail.includes('verapdf')]).to.deep.equal([
        503,
        'PROGRAM_MISSING',
        true,
      ]);
      const cmyk = await drawn((_pdf, page) => draw(page, '0.9 0.1 0 0.2 k 150 20 100 60 re f'));
      const missing = await call(cmyk, {}, repaired);
      expect([
        missing.status,
        missing.code,
        missing.json<{ detail: string }>().detail.includes('ghostscript'),
      ]).to.deep.equal([503, 'PROGRAM_MISSING', true]);
    } finally {
      await Promise.all([blind.stop(), alone.stop()]);
    }
  });
});
