import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PDFDocument, PDFName, StandardFonts } from 'pdf-lib';
import { middleOf, renderingDifference } from './middle.js';

/** On pages of 400 x 400 points the area is from 120 to 280. */
const TOUCHING = [250, 200, 390, 260] as const;
const BESIDE = [300, 20, 390, 80] as const;
const CORNER = '0 g 10 10 90 90 re f';
/** A letter of 240 points that reaches from the area to the right edge. */
const LETTER = '0.5 g BT /F 240 Tf 200 110 Td (O) Tj ET';

describe('the check of a redacted area', function () {
  this.timeout(60_000);
  let folder: string;
  let count = 0;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'quire-middle-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  /** Draws a page with this content and black annotations. */
  async function page(content: string, ...rects: (readonly number[])[]): Promise<string> {
    const document = await PDFDocument.create({ updateMetadata: false });
    const { context } = document;
    const font = await document.embedFont(StandardFonts.HelveticaBold);
    const { node } = document.addPage([400, 400]);
    const N = context.register(
      context.stream('0 g 0 0 100 100 re f', { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 100, 100] }),
    );
    const annotations = rects.map((Rect) =>
      context.obj({ Type: 'Annot', Subtype: 'Stamp', F: 4, Rect, AP: { N } } as never),
    );
    node.set(PDFName.of('Annots'), context.obj(annotations));
    node.set(PDFName.of('Resources'), context.obj({ Font: { F: font.ref } }));
    node.set(PDFName.of('Contents'), context.register(context.flateStream(content)));
    const path = join(folder, `${count++}.pdf`);
    writeFileSync(path, await document.save());
    return path;
  }

  async function difference(before: string, after: string): Promise<string | undefined> {
    const middle = await middleOf(before);
    return renderingDifference(before, after, middle!);
  }

  it('accepts that annotations and letters vanish which the area touches', async () => {
    const before = await page(`${CORNER} ${LETTER}`, TOUCHING, BESIDE);
    expect(await difference(before, await page(CORNER, BESIDE))).to.equal(undefined);
  });

  it('reports annotations, letters and drawings that vanish elsewhere', async () => {
    const elsewhere = '0.5 g BT /F 100 Tf 10 310 Td (O) Tj ET';
    const before = await page(`${CORNER} ${elsewhere}`, BESIDE);
    for (const [content, ...rects] of [[`${CORNER} ${elsewhere}`], [CORNER, BESIDE], [elsewhere, BESIDE]] as const)
      expect(await difference(before, await page(content, ...rects)), content).to.match(/pixels outside differ/);
    expect(await difference(before, before)).to.equal(undefined);
  });

  it('reports what is still seen in the area', async () => {
    const before = await page(`${CORNER} 0 g 200 200 20 20 re f`);
    expect(await difference(before, before)).to.match(/pixels inside the area are not covered/);
  });

  it('accepts lines that are drawn half a pixel elsewhere', async () => {
    const lines = (shift: number): string =>
      Array.from({ length: 20 }, (_none, i) => `0.5 w 10 ${10 + i * 4 + shift} m 390 ${10 + i * 4 + shift} l S`).join(
        ' ',
      );
    expect(await difference(await page(lines(0)), await page(lines(0.02)))).to.equal(undefined);
    expect(await difference(await page(lines(0)), await page(lines(2)))).to.match(/pixels outside differ/);
  });
});
