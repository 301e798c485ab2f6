import { expect } from 'chai';
import { degrees, type PDFPage, pushGraphicsState, setTextRenderingMode, TextRenderingMode } from 'pdf-lib';
import { type Paragraph, blockText } from '../../layout/index.js';
import { broken, layoutOf, type Sheet, sheet, told } from './support.js';

const prose =
  'The weather of the coast is mild in autumn, and the fishermen stay at home when the wind turns north, since ' +
  'nobody wants to lose a boat for a few baskets of herring.';

/** How a page was scanned. */
interface Scan {
  readonly size: number;
  /** Degrees by which its lines rise. */
  readonly skew?: number;
  /** True for words that lean with their line; others are level, each at its own height. */
  readonly leaning?: boolean;
}

/** Adds words as text recognition leaves them: invisible, of a fixed pitch, stretched over the scan's letters. */
function recognise({ mono }: Sheet, page: PDFPage, lines: readonly string[], scan: Scan): void {
  const { size, skew = 0, leaning = false } = scan;
  const slope = Math.tan((skew * Math.PI) / 180);
  page.pushOperators(pushGraphicsState(), setTextRenderingMode(TextRenderingMode.Invisible));
  for (const [i, line] of lines.entries()) {
    // Sizes differ a little from line to line.
    const own = size * (1 + 0.04 * (i % 2));
    let x = 50;
    for (const word of line.split(' ')) {
      const y = 600 - i * size * 1.4 + (x - 50) * slope;
      page.drawText(word, { x, y, size: own, font: mono, ...(leaning ? { rotate: degrees(skew) } : {}) });
      x += mono.widthOfTextAtSize(`${word} `, own);
    }
  }
}

describe('Text recognised on scans', () => {
  it('is not code, and its lines have one size', async () => {
    const made = await sheet();
    const page = made.document.addPage([500, 700]);
    recognise(made, page, broken(prose, made.mono, 12, 390), { size: 12 });
    const [read] = await layoutOf(await made.document.save());
    expect(told(read!)).to.deep.equal([`paragraph: ${prose}`]);
    const { runs } = read!.blocks[0] as Paragraph;
    expect(runs).to.have.length(1);
    expect(runs[0]).to.include({ monospace: false, family: '', text: prose });
  });

  for (const leaning of [false, true])
    it(`is read along skewed lines whose words ${leaning ? 'lean' : 'are level'}`, async () => {
      const made = await sheet();
      for (const skew of [3, -2.5]) {
        const page = made.document.addPage([500, 700]);
        recognise(made, page, broken(prose, made.mono, 12, 390), { size: 12, skew, leaning });
      }
      const pages = await layoutOf(await made.document.save());
      expect(pages.flatMap(told)).to.deep.equal([`paragraph: ${prose}`, `paragraph: ${prose}`]);
      expect(pages.flatMap(({ artefacts }) => artefacts)).to.deep.equal([]);
    });

  it('is a heading only if it is larger than the rest of its page', async () => {
    const made = await sheet();
    for (const size of [10, 10, 13]) {
      const page = made.document.addPage([500, 700]);
      recognise(made, page, broken(prose, made.mono, size, 390), { size });
    }
    const pages = await layoutOf(await made.document.save());
    expect(pages.flatMap(({ blocks }) => blocks.map((block) => `${block.kind}: ${blockText(block)}`))).to.deep.equal(
      Array.from({ length: 3 }, () => `paragraph: ${prose}`),
    );
  });
});
