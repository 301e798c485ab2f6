import { expect } from 'chai';
import { degrees, PDFDocument, PDFName, rgb, StandardFonts } from 'pdf-lib';
import { openPdf } from '@quire/document/file/open';
import { outlineTitle, readOutlines } from '@quire/document/structure/outlines';
import { makePdf, readPdf } from '@quire/plugin-kit';
import { partsBetween } from '../../src/functions/scans/split-at-dividers.js';
import { autoSplitPdf } from '../../src/operations/auto-split-pdf.op.js';
import { addScan, codePicture, dividerText, drawCode, scannedSheet } from '../pictures/dividers.js';
import { locked } from '../pictures/locked.js';
import { runOperation } from '../pictures/run-operation.js';

/** Adds pages: a word becomes a page with that text, a function creates its own page. */
async function stack(
  ...pages: readonly (string | ((document: PDFDocument) => Promise<unknown>))[]
): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const page of pages) {
    if (typeof page !== 'string') await page(document);
    else document.addPage([300, 400]).drawText(page, { x: 40, y: 200, size: 20, font });
  }
  return document.save();
}

const sheet =
  (text = dividerText, size = 100, inverted = false) =>
  (document: PDFDocument) =>
    drawCode(document.addPage([300, 400]), text, { x: 60, y: 90, size, inverted });
const scan =
  (angle: number, scale: number, noise: number, turned = 0, inverted = false) =>
  async (document: PDFDocument) =>
    addScan(document, await scannedSheet(dividerText, { angle, scale, noise, inverted }), turned);

/** Texts of the pages of each part, or the code of the error. */
async function split(
  bytes: Uint8Array,
  params: Record<string, unknown> = {},
  maxDpi = 300,
): Promise<string[] | string> {
  const { files, code } = await runOperation(autoSplitPdf, ['my.stack.pdf', bytes], params, {
    settings: { 'system.maxDPI': maxDpi },
  });
  return code ?? Promise.all(files.map(async (file) => (await readPdf(file)).text.map((text) => text.trim()).join()));
}

describe('auto-split-pdf', () => {
  it('splits at dividers and removes them, also on the first page and at the end', async () => {
    expect(await split(await stack('a', 'b', sheet(), 'c', sheet(), sheet(), 'd', sheet()))).to.deep.equal([
      'a,b',
      'c',
      'd',
    ]);
    expect(await split(await stack(sheet(), 'a', sheet(), 'b'))).to.deep.equal(['a', 'b']);
  });

  it('numbers the parts', async () => {
    const { names, progressed } = await runOperation(autoSplitPdf, ['my.stack.pdf', await stack('a', sheet(), 'b')]);
    expect(names).to.deep.equal(['my.stack_1.pdf', 'my.stack_2.pdf']);
    expect(progressed.length).to.be.greaterThan(2);
  });

  it('drops the back of each divider in duplex mode', async () => {
    expect(
      await split(await stack('a', sheet(), 'back', 'b', sheet(), sheet(), 'c'), { duplexMode: 'true' }),
    ).to.deep.equal(['a', 'b', 'c']);
    expect(partsBetween([true, true, false, true], true)).to.deep.equal([[2]]);
  });

  it('recognises every text on printed divider sheets, and no other', async () => {
    for (const text of [
      'https://github.com/Stirling-Tools/Stirling-PDF',
      'https://github.com/Frooodle/Stirling-PDF',
      'https://stirlingpdf.com',
    ])
      expect(await split(await stack('a', sheet(text), 'b')), text).to.deep.equal(['a', 'b']);
    for (const text of ['https://stirlingpdf.com/', 'https://STIRLINGPDF.com', 'https://example.org'])
      expect(await split(await stack('a', sheet(text), 'b')), text).to.deep.equal(['a,,b']);
  });

  it('finds codes that are skewed, rotated, noisy or light on dark', async () => {
    expect(
      await split(
        await stack(
          'a',
          scan(0, 8, 20),
          'b',
          scan(17, 6, 60),
          'c',
          scan(45, 5, 30, 90),
          'd',
          scan(-8, 6, 40, 180, true),
          'e',
        ),
      ),
    ).to.deep.equal(['a', 'b', 'c', 'd', 'e']);
    expect(await split(await stack('a', sheet(dividerText, 90, true), 'b'))).to.deep.equal(['a', 'b']);
  });

  it('finds small codes at the highest resolution', async () => {
    const bytes = await stack('a', sheet(dividerText, 11), 'b');
    expect(await split(bytes, {}, 500)).to.deep.equal(['a', 'b']);
    expect(await split(bytes, {}, 72)).to.deep.equal(['a,,b']);
  });

  it('finds small codes beside tables and charts, in forms and on turned pages, and none elsewhere', async () => {
    const busy =
      (code: boolean, turned = 0, inForm = false) =>
      async (document: PDFDocument): Promise<void> => {
        const page = document.addPage([595, 842]);
        page.setRotation(degrees(turned));
        for (let y = 100; y < 700; y += 12)
          page.drawLine({ start: { x: 50, y }, end: { x: 540, y }, thickness: 0.5, color: rgb(0, 0, 0) });
        for (let x = 60; x < 160; x += 4)
          page.drawRectangle({ x, y: 740, width: 3, height: (x * 7) % 50, color: rgb(0, 0.3, 0.6) });
        if (!code) return;
        if (!inForm) return drawCode(page, dividerText, { x: 480, y: 60, size: 11 });
        const inner = await PDFDocument.create();
        await drawCode(inner.addPage([40, 40]), dividerText, { x: 10, y: 10, size: 11 });
        page.drawPage((await document.embedPdf(await inner.save()))[0]!, { x: 200, y: 20 });
      };
    const bytes = await stack('a', busy(true), 'b', busy(true, 90), 'c', busy(true, 0, true), 'd', busy(false), 'e');
    expect(await split(bytes, {}, 500)).to.deep.equal(['a', 'b', 'c', 'd,,e']);
  });

  it('looks for small codes in annotations', async () => {
    const stamped = async (document: PDFDocument): Promise<void> => {
      const inner = await PDFDocument.create();
      await drawCode(inner.addPage([40, 40]), dividerText, { x: 10, y: 10, size: 11 });
      const form = (await document.embedPdf(await inner.save()))[0]!;
      await form.embed();
      const page = document.addPage([595, 842]);
      page.node.set(
        PDFName.of('Annots'),
        document.context.obj([
          { Type: 'Annot', Subtype: 'Stamp', Rect: [400, 30, 440, 70], F: 4, AP: { N: form.ref } },
        ]),
      );
    };
    expect(await split(await stack('a', stamped, 'b'), {}, 500)).to.deep.equal(['a', 'b']);
  });

  it('finds a code in an image drawn too small to be read, and one on a page of many images', async () => {
    const tiny = async (document: PDFDocument): Promise<void> =>
      document
        .addPage([300, 400])
        .drawImage(await document.embedPng(await (await codePicture(dividerText, 4)).png().toBuffer()), {
          x: 10,
          y: 10,
          width: 2,
          height: 2,
        });
    const many = async (document: PDFDocument): Promise<void> => {
      const page = document.addPage([300, 400]);
      const blob = await document.embedPng(await (await codePicture('other', 1)).png().toBuffer());
      for (let i = 0; i < 4; i++) page.drawImage(blob, { x: 10 + i * 12, y: 10, width: 9, height: 9 });
      page.drawImage(await document.embedPng(await (await codePicture(dividerText, 4)).png().toBuffer()), {
        x: 100,
        y: 100,
        width: 120,
        height: 120,
      });
    };
    expect(await split(await stack('a', tiny, 'b', many, 'c'))).to.deep.equal(['a', 'b', 'c']);
  });

  it('keeps bookmarks with their pages', async () => {
    const document = await PDFDocument.load(
      await makePdf({ pages: 3, text: ['one', '', 'three'], outlines: { One: 1, Divider: 2, Three: 3 } }),
    );
    await drawCode(document.getPage(1), dividerText, { x: 100, y: 100, size: 200 });
    const { files } = await runOperation(autoSplitPdf, ['a.pdf', await document.save()]);
    const titles = await Promise.all(
      files.map(async (file) => {
        const { context } = (await openPdf(file)).document;
        return readOutlines(context).map((item) => outlineTitle(context, item));
      }),
    );
    expect(titles).to.deep.equal([['One'], ['Three']]);
  });

  it('returns one part with all pages if there is no divider', async () => {
    expect(await split(await stack('a', 'b'))).to.deep.equal(['a,b']);
  });

  it('reads encrypted documents that need no password, and refuses those that do', async () => {
    const bytes = await stack('a', scan(0, 6, 10), 'b');
    expect(await split(await locked(bytes, ''))).to.deep.equal(['a', 'b']);
    expect(await split(await locked(bytes, 'secret'))).to.equal('PDF_ENCRYPTED');
  });

  it('refuses a stack of only dividers, an invalid duplex mode and files that are not PDFs', async () => {
    expect(await split(await stack(sheet(), sheet()))).to.equal('DIVIDERS_ONLY');
    expect(await split(await stack('a'), { duplexMode: 'both' })).to.equal('INPUT_INVALID');
    expect(await split(Buffer.from('%PDF-1.7\n'))).to.equal('PDF_DAMAGED');
  });

  it('stops when it is cancelled', async () => {
    const signal = AbortSignal.abort(new Error('stop'));
    const error = await runOperation(autoSplitPdf, ['a.pdf', await stack('a')], {}, { signal }).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect((error as Error).message).to.equal('stop');
  });
});
