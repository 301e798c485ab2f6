import { callOperation, hostileFiles, makePdf, type OperationAnswer, serverForTests } from '@quire/plugin-kit';
import { asDict, asName, asNumber, catalogOf, elements, entry, resolve } from '@quire/document/file/objects';
import { openPdf } from '@quire/document/file/open';
import { readAttachments } from '@quire/document/structure/attachments';
import { readOutlines } from '@quire/document/structure/outlines';
import { readPageLabels } from '@quire/document/structure/pages';
import { pageBox, pageRotation } from '@quire/document/structure/pages';
import { expect } from 'chai';
import type { PDFDocument, PDFRawStream } from 'pdf-lib';
import { flatten } from '../../src/operations/flatten.op.js';
import { codeOf, drawPage, fixture, meanDifference, pageText, runOn } from './recolour-support.js';

const kindsOf = async (bytes: Uint8Array): Promise<string[][]> => {
  const {
    document: { context },
    pages,
  } = await openPdf(bytes);
  return pages.map(({ dict }) =>
    elements(context, entry(dict, 'Annots')).map(
      (value) => asName(context, entry(asDict(context, value)!, 'Subtype')) ?? '',
    ),
  );
};
const catalogKeys = ({ context }: PDFDocument): string[] =>
  catalogOf(context)!
    .keys()
    .map((key) => key.decodeText())
    .sort();
const pictures = { flattenOnlyForms: false, renderDpi: 72 };

describe('flatten', function () {
  this.timeout(60_000);
  let form: Uint8Array;
  before(async () => {
    form = await fixture('form.pdf');
  });

  it('turns fields into text of the page, in any alphabet, and keeps links and notes', async () => {
    const bytes = await runOn(flatten, form, { flattenOnlyForms: true });
    expect(await kindsOf(bytes)).to.deep.equal([['Link', 'Text'], []]);
    const words = await pageText(bytes);
    for (const word of ['Ada Lovelace', '東京', 'A letter of several lines', 'Blue', 'Send it', 'Page 1 of the form'])
      expect(words).to.contain(word);
    expect(words).not.to.contain('Never seen');
    expect(await pageText(bytes, 1)).to.contain('Upright on paper');
    const { document } = await openPdf(bytes);
    expect(catalogKeys(document)).not.to.include('AcroForm');
    expect(readOutlines(document.context).length).to.equal(1);
  });

  it('rewrites a document without a form unchanged', async () => {
    const plain = await makePdf({ pages: 2, text: ['first', 'second'] });
    const bytes = await runOn(flatten, plain, { flattenOnlyForms: true });
    expect([await pageText(bytes), await pageText(bytes, 1)].map((words) => words.trim())).to.deep.equal([
      'first',
      'second',
    ]);
  });

  it('converts each page to one RGB JPEG that fills it, with the same boxes and rotation', async () => {
    const bytes = await runOn(flatten, form, pictures);
    const [
      {
        document: { context },
        pages,
      },
      before,
    ] = [await openPdf(bytes), await openPdf(form)];
    for (const [i, page] of pages.entries()) {
      expect([pageBox(context, page, 'MediaBox'), pageBox(context, page), pageRotation(context, page)]).to.deep.equal([
        pageBox(before.document.context, before.pages[i]!, 'MediaBox'),
        pageBox(before.document.context, before.pages[i]!),
        pageRotation(before.document.context, before.pages[i]!),
      ]);
      const objects = asDict(context, entry(asDict(context, entry(page.dict, 'Resources'))!, 'XObject'))!;
      const images = objects.values().map((value) => resolve(context, value) as PDFRawStream);
      expect(
        images.map(({ dict }) => [
          asName(context, entry(dict, 'ColorSpace')),
          asName(context, entry(dict, 'Filter')),
          asNumber(context, entry(dict, 'Width')),
          asNumber(context, entry(dict, 'Height')),
        ]),
      ).to.deep.equal([['DeviceRGB', 'DCTDecode', ...(i === 0 ? [400, 500] : [290, 390])]]);
      expect((await pageText(bytes, i)).trim()).to.equal('');
      // The form itself lacks a font, so the image must match our flattened version.
      expect(
        meanDifference(
          await drawPage(bytes, i),
          await drawPage(await runOn(flatten, form, { flattenOnlyForms: true }), i),
        ),
      ).to.be.lessThan(2);
    }
  });

  it('keeps bookmarks, links, labels and attachments of pages that become images; scripts and fields go', async () => {
    const bytes = await runOn(flatten, form, pictures);
    const { document, pages } = await openPdf(bytes);
    const { context } = document;
    expect(await kindsOf(bytes)).to.deep.equal([['Link'], []]);
    const link = asDict(context, elements(context, entry(pages[0]!.dict, 'Annots'))[0])!;
    expect(elements(context, entry(link, 'Dest'))[0]).to.equal(pages[1]!.ref);
    expect([
      readOutlines(context).length,
      (readPageLabels(context, 2) ?? []).length > 0,
      readAttachments(context, pages).length,
    ]).to.deep.equal([1, true, 1]);
    expect(catalogKeys(document)).not.to.include('AcroForm');
    const latin = Buffer.from(bytes).toString('latin1');
    for (const gone of ['/JavaScript', '/Widget', '/XFA', 'app.alert']) expect(latin, gone).not.to.contain(gone);
  });

  it("limits the resolution to 72 up to the server's maximum, which is also the default", async () => {
    const widthAt = async (renderDpi: number | undefined): Promise<number> => {
      const {
        document: { context },
        pages,
      } = await openPdf(
        await runOn(
          flatten,
          form,
          { flattenOnlyForms: false, ...(renderDpi === undefined ? {} : { renderDpi }) },
          { settings: { 'system.maxDPI': 144 } },
        ),
      );
      const objects = asDict(context, entry(asDict(context, entry(pages[0]!.dict, 'Resources'))!, 'XObject'))!;
      return asNumber(context, entry((resolve(context, objects.values()[0]) as PDFRawStream).dict, 'Width')) ?? 0;
    };
    expect(await Promise.all([1, 100, 999, undefined].map(widthAt))).to.deep.equal([400, 555, 800, 800]);
  });

  it('removes declarations of standards from page images, and keeps the rest of the metadata', async () => {
    const xmp =
      '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
      '<rdf:Description rdf:about="" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/" pdfuaid:part="1" ' +
      'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:language>en-GB</dc:language></rdf:Description></rdf:RDF>' +
      '</x:xmpmeta>';
    const { PDFDocument, PDFName } = await import('pdf-lib');
    const document = await PDFDocument.create();
    document.addPage([100, 100]);
    document.catalog.set(
      PDFName.of('Metadata'),
      document.context.register(document.context.stream(xmp, { Type: 'Metadata', Subtype: 'XML' })),
    );
    const latin = Buffer.from(await runOn(flatten, await document.save(), pictures)).toString('latin1');
    expect([latin.includes('pdfuaid:part'), latin.includes('en-GB')]).to.deep.equal([false, true]);
  });

  it('refuses a page that is too large at the requested resolution, and lowers the default one', async () => {
    const poster = await fixture('poster.pdf');
    expect(await codeOf(runOn(flatten, poster, { flattenOnlyForms: false, renderDpi: 500 }))).to.equal(
      'IMAGE_TOO_LARGE',
    );
    expect(
      (
        await drawPage(
          await runOn(flatten, poster, { flattenOnlyForms: false }, { settings: { 'system.maxDPI': 100 } }),
          0,
          0.1,
        )
      ).width,
    ).to.equal(300);
  });

  describe('over HTTP', () => {
    const server = serverForTests({ plugins: ['@quire/plugin-misc'] });
    const call = (bytes: Uint8Array, params: Record<string, unknown>): Promise<OperationAnswer> =>
      callOperation(server.url, { path: 'misc/flatten', files: [{ name: 'my form.v2.pdf', bytes }], params });

    it('keeps the name of the upload', async () => {
      const answer = await call(form, { flattenOnlyForms: 'TRUE' });
      expect([answer.status, answer.fileName]).to.deep.equal([200, 'my form.v2.pdf']);
    });

    it('names the invalid field, and refuses encrypted and damaged files', async () => {
      const wrong = await call(form, { flattenOnlyForms: 'perhaps', renderDpi: '12.5' });
      expect([
        wrong.status,
        [...new Set(wrong.json<{ errors: { pointer: string }[] }>().errors.map(({ pointer }) => pointer))].sort(),
      ]).to.deep.equal([400, ['/flattenOnlyForms', '/renderDpi']]);
      expect(
        (await call(await fixture('poster.pdf'), { renderDpi: 500 })).json<{ type: string; status: number }>(),
      ).to.include({ type: '/errors/out-of-memory-dpi', status: 400 });
      const locked = await call(hostileFiles().find(({ name }) => name === 'locked.pdf')!.bytes, {
        flattenOnlyForms: true,
      });
      expect([locked.status, locked.code]).to.deep.equal([400, 'PDF_ENCRYPTED']);
      expect((await call(await fixture('header-only.pdf'), {})).code).to.equal('PDF_DAMAGED');
    });
  });
});
