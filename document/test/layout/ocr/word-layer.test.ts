import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import createBidi from 'bidi-js';
import { expect } from 'chai';
import { PDFDocument } from 'pdf-lib';
import { PageOverlay } from '../../../content/drawing/index.js';
import { GlyphlessFont } from '../../../layout/ocr/glyphless-font.js';
import type { ReadLine, ReadPage } from '../../../layout/ocr/hocr.js';
import { wordLayer } from '../../../layout/ocr/word-layer.js';
import { openPdf, savePdf } from '../../../file/open/index.js';
import { renderPage, withRenderable } from '../../../engines/rendering/index.js';

type Box = [number, number, number, number];
const line = (words: readonly (readonly [string, Box])[], more: Partial<ReadLine> = {}): ReadLine => {
  const boxes = words.map(([, box]) => box);
  const box = [0, 1, 2, 3].map((i) => (i < 2 ? Math.min : Math.max)(...boxes.map((each) => each[i]!))) as Box;
  return {
    words: words.map(([text, each]) => ({ text, box: each, confidence: 90 })),
    box,
    angle: 0,
    slope: 0,
    offset: -8,
    size: 40,
    ...more,
  };
};

/** A page of 1000 by 1000 pixels at 200 dpi with these lines. */
async function laid(...lines: ReadLine[]): Promise<Uint8Array> {
  const blank = await PDFDocument.create();
  blank.addPage([360, 360]);
  const { document, pages } = await openPdf(await blank.save());
  const font = new GlyphlessFont(document.context);
  const read: ReadPage = { width: 1000, height: 1000, paragraphs: [lines] };
  new PageOverlay(document.context).add(pages[0]!, wordLayer(document.context, read, 0.36, font, createBidi())!);
  font.finish();
  return savePdf(document);
}

function words(pdf: Uint8Array): { text: string; box: number[] }[] {
  const folder = mkdtempSync(join(tmpdir(), 'quire-layer-'));
  try {
    writeFileSync(join(folder, 'a.pdf'), pdf);
    execFileSync('qpdf', ['--check', join(folder, 'a.pdf')]);
    const html = execFileSync('pdftotext', ['-bbox', join(folder, 'a.pdf'), '-'], { encoding: 'utf8' });
    return [...html.matchAll(/xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.-]+)" yMax="([\d.-]+)">([^<]*)</g)].map(
      ([, a, b, c, d, text = '']) => ({ text, box: [a, b, c, d].map((value) => Math.round(Number(value) / 0.36)) }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Poppler's text, without its marks of direction. */
function plainText(pdf: Uint8Array): string {
  return execFileSync('pdftotext', ['-', '-'], { input: pdf, encoding: 'utf8' }).replace(/[\u202a-\u202e]/g, '');
}

const near = (found: readonly number[], wanted: readonly number[], off = 4): boolean =>
  found.every((value, i) => Math.abs(value - wanted[i]!) <= off);

describe('The text layer of a page', function suite() {
  this.timeout(60_000);

  it('puts each word over its box, with blanks in between, and shows nothing', async () => {
    const boxes: Box[] = [
      [100, 100, 260, 140],
      [300, 100, 330, 140],
      [400, 100, 700, 140],
    ];
    const pdf = await laid(
      line([
        ['Words', boxes[0]!],
        ['of', boxes[1]!],
        ['different—length', boxes[2]!],
      ]),
    );
    const found = words(pdf);
    expect(found.map(({ text }) => text)).to.deep.equal(['Words', 'of', 'different—length']);
    for (const [i, { box }] of found.entries())
      expect(near(box, boxes[i]!), `${box.join(' ')} for ${boxes[i]!.join(' ')}`).to.equal(true);
    await withRenderable(pdf, (document) => {
      expect(document.pageText(0).trim()).to.equal('Words of different—length');
      expect(
        renderPage(document, 0, { width: 300, height: 300, annotations: false }).every((value) => value === 255),
      ).to.equal(true);
    });
  });

  it('follows base lines that rise, a little word by word and steep ones along the line', async () => {
    const little = words(
      await laid(
        line(
          [
            ['low', [100, 180, 200, 220]],
            ['high', [600, 160, 700, 200]],
          ],
          { slope: -0.04, box: [100, 160, 700, 220] },
        ),
      ),
    );
    expect(
      little.map(({ box }) => near(box, box[0]! < 400 ? [100, 178, 200, 218] : [600, 158, 700, 198], 6)),
    ).to.deep.equal([true, true]);
    // Poppler takes letters apart that stand askew; together they cover the word.
    const letters = words(await laid(line([['slope', [100, 300, 300, 400]]], { slope: -0.3, size: 40 }))).map(
      ({ box }) => box,
    );
    expect(
      [Math.min(...letters.map(([left]) => left!)), Math.max(...letters.map(([, , right]) => right!))].every(
        (value, i) => Math.abs(value - [100, 300][i]!) < 20,
      ),
    ).to.equal(true);
    expect(
      Math.max(...letters.map(([, , , bottom]) => bottom!)) - Math.min(...letters.map(([, top]) => top!)),
    ).to.be.within(70, 130);
  });

  it('goes up, down and upside down where lines do', async () => {
    const boxes: Record<number, Box> = {
      90: [100, 100, 140, 400],
      270: [300, 100, 340, 400],
      180: [500, 600, 800, 640],
    };
    const found = words(
      await laid(
        ...Object.entries(boxes).map(([angle, box]) => line([[`turned${angle}`, box]], { angle: Number(angle) })),
      ),
    );
    for (const [angle, box] of Object.entries(boxes)) {
      const word = found.find(({ text }) => text === `turned${angle}`);
      expect(word !== undefined && near(word.box, box, 10), `${angle}: ${word?.box.join(' ') ?? 'not found'}`).to.equal(
        true,
      );
    }
  });

  it('runs vertically where the engine saw letters above each other without a rotation', async () => {
    const found = words(
      await laid(
        line(
          [
            ['down', [100, 100, 130, 200]],
            ['wards', [100, 220, 130, 340]],
          ],
          { size: 32 },
        ),
        line(
          [
            ['up', [500, 220, 530, 300]],
            ['wards', [500, 100, 530, 200]],
          ],
          { size: 32 },
        ),
      ),
    );
    for (const [text, box] of [
      ['down', [100, 100, 130, 200]],
      ['up', [500, 220, 530, 300]],
    ] as const) {
      const word = found.find((each) => each.text === text);
      expect(word !== undefined && near(word.box, box, 10), `${text}: ${word?.box.join(' ') ?? 'not found'}`).to.equal(
        true,
      );
    }
  });

  it('keeps text from right to left, with numbers in it, in reading order', async () => {
    // Read from the right: the first word stands on the right.
    const pdf = await laid(
      line([
        ['שלום', [500, 100, 640, 140]],
        ['עולם', [300, 100, 460, 140]],
        ['(תשפ45)', [100, 100, 280, 140]],
      ]),
    );
    const text = await withRenderable(pdf, (document) => document.pageText(0).trim());
    expect([...text].filter((letter) => /\p{Script=Hebrew}/u.test(letter)).join('')).to.equal('שלוםעולםתשפ');
    expect(text).to.include('45');
    expect(plainText(pdf)).to.include('שלום עולם');
  });

  it('takes letters of all planes, and words that overlap', async () => {
    const pdf = await laid(
      line([
        ['日本語', [100, 100, 220, 140]],
        ['𝔘𝔫😀', [210, 100, 400, 140]],
      ]),
    );
    expect(await withRenderable(pdf, (document) => document.pageText(0).trim())).to.equal('日本語 𝔘𝔫😀');
  });
});
