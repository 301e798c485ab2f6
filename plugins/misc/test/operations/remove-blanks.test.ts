import { expect } from 'chai';
import { PDFDocument, PDFName, rgb } from 'pdf-lib';
import sharp from 'sharp';
import { openPdf } from '@quire/document/file/open';
import { outlineTitle, readOutlines } from '@quire/document/structure/outlines';
import { expectPdf, makePdf, readPdf } from '@quire/plugin-kit';
import { removeBlanks } from '../../src/operations/remove-blanks.op.js';
import { locked } from '../pictures/locked.js';
import { runOperation } from '../pictures/run-operation.js';

const settings = { 'system.maxDPI': 72 };

async function separate(
  bytes: Uint8Array,
  params: Record<string, unknown> = {},
): Promise<{ readonly pages: Readonly<Record<string, number>>; readonly files: readonly Buffer[] }> {
  const { names, files, code } = await runOperation(removeBlanks, ['a.pdf', bytes], params, { settings });
  if (code !== undefined) throw new Error(code);
  const counts = await Promise.all(files.map(async (file) => (await readPdf(file)).pages));
  return { pages: Object.fromEntries(names.map((name, i) => [name, counts[i] ?? 0])), files };
}

/** A page with one grey, noisy image. */
async function addScan(document: PDFDocument, grey: number, noise: number): Promise<void> {
  let state = 5;
  const data = new Uint8Array(200 * 200).map(() => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.min(255, grey + Math.round((state / 2_147_483_648) * noise));
  });
  const image = await document.embedPng(
    await sharp(data, { raw: { width: 200, height: 200, channels: 1 } })
      .png()
      .toBuffer(),
  );
  document.addPage([200, 200]).drawImage(image, { x: 0, y: 0, width: 200, height: 200 });
}

describe('remove-blanks', () => {
  it('treats a page with text as not blank, and one that draws nothing as blank', async () => {
    const { pages, files } = await separate(await makePdf({ pages: 4, text: ['one', '', 'three', ''] }));
    expect(pages).to.deep.equal({ 'a_nonBlankPages.pdf': 2, 'a_blankPages.pdf': 2 });
    await expectPdf(files[0]!).text(1, /one/).text(2, /three/);
  });

  it('returns one part if there is nothing to separate', async () => {
    expect((await separate(await makePdf({ pages: 2 }))).pages).to.deep.equal({ 'a_nonBlankPages.pdf': 2 });
    expect((await separate(await makePdf({ pages: 3, text: '' }))).pages).to.deep.equal({ 'a_allBlankPages.pdf': 3 });
  });

  it('measures pages with images by the threshold and the share of white', async () => {
    const document = await PDFDocument.create({ updateMetadata: false });
    await addScan(document, 248, 7);
    await addScan(document, 225, 10);
    const bytes = await document.save();
    expect((await separate(bytes)).pages).to.deep.equal({ 'a_nonBlankPages.pdf': 1, 'a_blankPages.pdf': 1 });
    expect((await separate(bytes, { threshold: 30 })).pages).to.deep.equal({ 'a_allBlankPages.pdf': 2 });
    expect((await separate(bytes, { threshold: 0, whitePercent: 50 })).pages).to.deep.equal({
      'a_nonBlankPages.pdf': 2,
    });
  });

  it('detects vector marks, including pale and coloured ones, and annotations', async () => {
    const document = await PDFDocument.create({ updateMetadata: false });
    document.addPage([100, 100]).drawRectangle({ x: 10, y: 10, width: 20, height: 20, color: rgb(0, 0, 1) });
    document.addPage([100, 100]).drawRectangle({ x: 10, y: 10, width: 20, height: 20, color: rgb(1, 1, 1) });
    const noted = document.addPage([100, 100]);
    const { context } = document;
    const look = context.register(
      context.stream('1 0 0 rg 0 0 30 30 re f', { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 30, 30] }),
    );
    noted.node.set(
      PDFName.of('Annots'),
      context.obj([context.obj({ Type: 'Annot', Subtype: 'Stamp', Rect: [10, 10, 40, 40], F: 4, AP: { N: look } })]),
    );
    expect((await separate(await document.save())).pages).to.deep.equal({
      'a_nonBlankPages.pdf': 2,
      'a_blankPages.pdf': 1,
    });
  });

  it('measures only the visible crop box', async () => {
    const document = await PDFDocument.create({ updateMetadata: false });
    const page = document.addPage([300, 300]);
    page.drawRectangle({ x: 0, y: 0, width: 100, height: 100 });
    page.setCropBox(150, 150, 100, 100);
    expect((await separate(await document.save())).pages).to.deep.equal({ 'a_allBlankPages.pdf': 1 });
  });

  it('keeps bookmarks with their pages', async () => {
    const { files } = await separate(
      await makePdf({ pages: 3, text: ['one', '', 'three'], outlines: { Start: 1, Nothing: 2, End: 3 } }),
    );
    const { document } = await openPdf(files[0]!);
    expect(readOutlines(document.context).map((item) => outlineTitle(document.context, item))).to.deep.equal([
      'Start',
      'End',
    ]);
  });

  it('refuses numbers out of range and uses the defaults for missing ones', async () => {
    const file = ['a.pdf', await makePdf({ pages: 1 })] as const;
    for (const params of [
      { threshold: -1 },
      { threshold: 256 },
      { threshold: '1.5' },
      { whitePercent: 0 },
      { whitePercent: 100.1 },
      { whitePercent: 'all' },
    ]) {
      expect((await runOperation(removeBlanks, file, params)).code, JSON.stringify(params)).to.equal('INPUT_INVALID');
    }
    expect(
      (await runOperation(removeBlanks, file, { threshold: '', whitePercent: '' }, { settings })).names,
    ).to.deep.equal(['a_nonBlankPages.pdf']);
  });

  it('reads encrypted documents that need no password, and refuses those that do', async () => {
    const bytes = await makePdf({ pages: 2, text: ['one', ''] });
    expect((await separate(await locked(bytes, ''))).pages).to.deep.equal({
      'a_nonBlankPages.pdf': 1,
      'a_blankPages.pdf': 1,
    });
    expect((await runOperation(removeBlanks, ['a.pdf', await locked(bytes, 'secret')])).code).to.equal('PDF_ENCRYPTED');
  });

  it('refuses files that are not PDFs, and stops when it is cancelled', async () => {
    expect((await runOperation(removeBlanks, ['a.pdf', Buffer.from('%PDF-1.7\n')])).code).to.equal('PDF_DAMAGED');
    const signal = AbortSignal.abort(new Error('stop'));
    const error = await runOperation(removeBlanks, ['a.pdf', await makePdf({ pages: 2 })], {}, { signal }).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect((error as Error).message).to.equal('stop');
  });

  it('notices a cancel between two pages', async () => {
    const document = await PDFDocument.create({ updateMetadata: false });
    for (let i = 0; i < 60; i++) document.addPage([600, 600]).drawRectangle({ x: i, y: i, width: 200, height: 200 });
    const controller = new AbortController();
    const running = runOperation(
      removeBlanks,
      ['a.pdf', await document.save()],
      {},
      { signal: controller.signal, settings: { 'system.maxDPI': 300 } },
    );
    setTimeout(() => controller.abort(new Error('stop')), 100);
    expect(
      await running.then(
        () => 'finished',
        (error: unknown) => (error as Error).message,
      ),
    ).to.equal('stop');
  });
});
