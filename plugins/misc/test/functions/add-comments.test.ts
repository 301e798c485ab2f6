import { expect } from 'chai';
import { asText } from '@quire/document/file/objects';
import { editBytes } from '@quire/document/file/open';
import { type PDFDict, PDFDocument, PDFName, PDFRef, type PDFString, StandardFonts } from 'pdf-lib';
import { type Comment, addComments, anchorComments } from '@quire/document/structure/annotations';
import { readComments } from '../../src/functions/read-comments.js';
import { colourAt, fixture, refusal } from '../page-pixels.js';

const now = new Date('2026-03-06T12:00:00Z');
const note: Comment = { pageIndex: 0, x: 50, y: 60, width: 20, height: 20, text: 'Please check' };

async function commented(
  bytes: Uint8Array,
  comments: readonly Comment[],
): Promise<{ bytes: Uint8Array; added: number }> {
  let added = 0;
  const anchored = await anchorComments(bytes, comments);
  const out = await editBytes(bytes, { mode: 'append' }, (opened) => {
    added = addComments(opened, anchored, { now, uuid: () => crypto.randomUUID() });
  });
  return { bytes: out, added };
}

async function annotationsOf(bytes: Uint8Array, page = 0): Promise<PDFDict[]> {
  const document = await PDFDocument.load(bytes);
  const list = document.getPage(page).node.Annots();
  return list === undefined ? [] : list.asArray().map((item) => document.context.lookup(item) as PDFDict);
}

const rectOf = (annotation: PDFDict | undefined): number[] =>
  String(annotation?.get(PDFName.of('Rect')))
    .match(/[-\d.]+/g)!
    .map(Number);
const textOf = (annotation: PDFDict | undefined, key: string): string | undefined =>
  asText(annotation!.context, annotation!.get(PDFName.of(key)));

describe('addComments', function () {
  this.timeout(60_000);

  it('adds a text annotation with every member of the contract, and its pop-up', async () => {
    const { bytes, added } = await commented(await fixture('turned-and-cropped.pdf'), [
      { ...note, text: 'Grüße 漢字\nline two', author: 'Zoë', subject: 'Review' },
    ]);
    const [text, popup, ...more] = await annotationsOf(bytes);
    expect([added, more.length]).to.deep.equal([1, 0]);
    const get = (key: string): string => String(text?.get(PDFName.of(key)));
    expect([get('Subtype'), get('Name'), get('C'), get('CA'), get('F')]).to.deep.equal([
      '/Text',
      '/Comment',
      '[ 1 0.95 0.4 ]',
      '0.9',
      '28',
    ]);
    expect([textOf(text, 'Contents'), textOf(text, 'T'), textOf(text, 'Subj')]).to.deep.equal([
      'Grüße 漢字\nline two',
      'Zoë',
      'Review',
    ]);
    expect((text!.get(PDFName.of('CreationDate')) as PDFString).decodeDate()).to.deep.equal(now);
    expect(rectOf(text)).to.deep.equal([50, 60, 70, 80]);
    expect(String(popup?.get(PDFName.of('Subtype')))).to.equal('/Popup');
    expect(text?.context.lookup(popup?.get(PDFName.of('Parent')))).to.equal(text);
    expect(text?.get(PDFName.of('Popup'))).to.be.instanceOf(PDFRef);
  });

  it('has a default author and subject', async () => {
    const [text] = await annotationsOf(
      (await commented(await fixture('turned-and-cropped.pdf'), [{ ...note, author: ' ', subject: null }])).bytes,
    );
    expect([textOf(text, 'T'), textOf(text, 'Subj')]).to.deep.equal(['Quire', 'Comment']);
  });

  it('shows a yellow icon at the upper left of its rectangle, also on rotated and cropped pages', async () => {
    const bytes = await fixture('turned-and-cropped.pdf');
    const plain = (await commented(bytes, [{ ...note, width: 60, height: 40 }])).bytes;
    const isYellow = ([r = 0, g = 0, b = 0]: number[]): boolean => r > 240 && g > 230 && b < 140;
    expect(isYellow(await colourAt(plain, 0, 52.5, 92))).to.equal(true);
    expect(await colourAt(plain, 0, 90, 70)).to.deep.equal([255, 255, 255]);
    // Rotated by 90 degrees: the corner at (50, 80) is shown at (80, 350); the icon is below and to the right of it.
    expect(
      isYellow(await colourAt((await commented(bytes, [{ ...note, pageIndex: 1 }])).bytes, 1, 82.5, 342)),
    ).to.equal(true);
    expect(isYellow(await colourAt((await commented(bytes, [{ ...note, pageIndex: 4 }])).bytes, 4, 52.5, 72))).to.equal(
      true,
    );
  });

  it('is placed at the first line that contains the anchor, ignoring case and punctuation', async () => {
    const document = await PDFDocument.create();
    const page = document.addPage([400, 300]);
    const font = await document.embedFont(StandardFonts.Helvetica);
    page.drawText('Nothing here', { x: 30, y: 250, size: 12, font });
    page.drawText('Total: 1,234.50 EUR (net)', { x: 70, y: 200, size: 12, font });
    page.drawText('Total: 1,234.50 EUR (net)', { x: 70, y: 100, size: 12, font });
    const { bytes } = await commented(await document.save(), [
      { ...note, width: 0, height: 0, anchorText: 'TOTAL 123450-eur' },
    ]);
    const [left, bottom, right, top] = rectOf((await annotationsOf(bytes))[0]) as [number, number, number, number];
    expect([right - left, top - bottom].map(Math.round)).to.deep.equal([20, 20]);
    expect(left).to.be.closeTo(70, 1.5);
    expect(top).to.be.closeTo(209, 1.5);
  });

  it('finds anchors on rotated, cropped and odd pages where their reader sees them', async () => {
    const bytes = await fixture('turned-and-cropped.pdf');
    const anchors = ['plain page', 'turned by 90', 'turned by 180', 'turned by 270', 'cropped', 'unit of two'];
    const { bytes: out, added } = await commented(
      bytes,
      anchors.map((anchorText, pageIndex) => ({ ...note, width: 0, height: 0, pageIndex, anchorText })),
    );
    expect(added).to.equal(6);
    const upperLeft = await Promise.all(
      anchors.map(async (_anchor, page) => rectOf((await annotationsOf(out, page))[0])),
    );
    // The corner at the start of the visible line: above left, left below, below right, right above of it in user
    // space.
    for (const [page, [x, y]] of (
      [
        [62, 164],
        [186, 150],
        [200, 136],
        [214, 150],
        [21, 165],
        [31, 82],
      ] as const
    ).entries()) {
      expect(upperLeft[page]![0], `x of page ${page}`).to.be.closeTo(x, 1.5);
      expect(upperLeft[page]![3], `y of page ${page}`).to.be.closeTo(y, 1.5);
    }
  });

  it('is placed at its coordinates if the anchor is not found', async () => {
    const [text] = await annotationsOf(
      (await commented(await fixture('turned-and-cropped.pdf'), [{ ...note, anchorText: 'no such text' }])).bytes,
    );
    expect(rectOf(text)).to.deep.equal([50, 60, 70, 80]);
  });

  it('skips invalid comments as the contract says, without an error', async () => {
    const { added } = await commented(await fixture('turned-and-cropped.pdf'), [
      { ...note, text: ' \n' },
      { ...note, text: null },
      { ...note, text: 'x'.repeat(100_001) },
      { ...note, width: 0 },
      { ...note, height: -1 },
      { ...note, pageIndex: 6 },
      { ...note, pageIndex: -1 },
      { ...note, width: 0, anchorText: 'no such text' },
      { ...note, text: 'x'.repeat(100_000) },
    ]);
    expect(added).to.equal(1);
  });

  it('keeps existing annotations', async () => {
    const first = (await commented(await fixture('turned-and-cropped.pdf'), [note])).bytes;
    expect(
      await annotationsOf(
        (
          await commented(first, [
            { ...note, x: 100 },
            { ...note, x: 150 },
          ])
        ).bytes,
      ),
    ).to.have.length(6);
  });

  it('reads comments without their optional members', () => {
    expect(readComments('[{"pageIndex":2,"text":"a","extra":1}]')).to.deep.equal([
      { pageIndex: 2, x: 0, y: 0, width: 0, height: 0, text: 'a', author: null, subject: null, anchorText: null },
    ]);
  });

  it('refuses a document whose text cannot be read', async () => {
    expect(await refusal(anchorComments(Buffer.from('%PDF-1.7\n'), [{ ...note, anchorText: 'x' }]))).to.equal(
      'PDF_DAMAGED',
    );
  });
});
