import { expect } from 'chai';
import { emptyMask, endOfMarks, type Mask, nextPixel, opened, spread } from '../../src/functions/scans/bit-mask.js';

/** Widths around the 32 pixels of a word. */
const WIDTHS = [1, 2, 31, 32, 33, 63, 64, 65, 100];
const HEIGHT = 9;

/** Marks about `share` of the pixels, the same ones at each run. */
function randomRows(width: number, share: number): boolean[][] {
  let state = width * 1000 + share * 10;
  const next = (): number => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
  return Array.from({ length: HEIGHT }, () => Array.from({ length: width }, () => next() < share));
}

function maskOf(rows: readonly (readonly boolean[])[]): Mask {
  const mask = emptyMask(rows[0]!.length, rows.length);
  for (const [y, row] of rows.entries())
    for (const [x, marked] of row.entries()) if (marked) mask.data[y * mask.stride + (x >> 5)]! |= 1 << (x & 31);
  return mask;
}

const rowsOf = ({ width, height, stride, data }: Mask): boolean[][] =>
  Array.from({ length: height }, (_row, y) =>
    Array.from({ length: width }, (_pixel, x) => ((data[y * stride + (x >> 5)]! >>> (x & 31)) & 1) === 1),
  );

/** Pixel by pixel; what is beyond the edges never decides. */
const naive = (rows: readonly (readonly boolean[])[], grow: boolean): boolean[][] =>
  rows.map((row, y) =>
    row.map((_pixel, x) => {
      const near = [-1, 0, 1].flatMap((down) =>
        [-1, 0, 1].map((right) => rows[y + down]?.[x + right]).filter((marked) => marked !== undefined),
      );
      return grow ? near.includes(true) : !near.includes(false);
    }),
  );

describe('masks of one bit per pixel', () => {
  for (const width of WIDTHS)
    it(`grow, shrink and open like masks of whole pixels, ${width} pixels wide`, () => {
      for (const share of [0.05, 0.5, 0.95]) {
        const rows = randomRows(width, share);
        expect(rowsOf(spread(maskOf(rows), 2, true))).to.deep.equal(naive(naive(rows, true), true));
        expect(rowsOf(spread(maskOf(rows), 1, false))).to.deep.equal(naive(rows, false));
        expect(rowsOf(opened(maskOf(rows), 1))).to.deep.equal(naive(naive(rows, false), true));
        // Bits beyond the width would join the next row.
        for (const mask of [spread(maskOf(rows), 2, true), spread(maskOf(rows), 1, false)])
          expect([...mask.data].reduce((sum, word) => sum + bitsOf(word), 0)).to.equal(
            rowsOf(mask).flat().filter(Boolean).length,
          );
      }
    });

  it('find the next pixel that is marked or not, and the last one that is', () => {
    for (const width of WIDTHS) {
      const rows = randomRows(width, 0.2);
      const mask = maskOf(rows);
      for (const [y, row] of rows.entries()) {
        for (let from = 0; from <= width; from++) {
          const found = (marked: boolean): number => row.findIndex((pixel, x) => x >= from && pixel === marked);
          for (const marked of [true, false])
            expect(nextPixel(mask, y, from, width, marked)).to.equal(found(marked) < 0 ? width : found(marked));
          expect(endOfMarks(mask, y, from, width)).to.equal(Math.max(from, row.lastIndexOf(true) + 1));
          expect(endOfMarks(mask, y, 0, from)).to.equal(from === 0 ? 0 : row.slice(0, from).lastIndexOf(true) + 1);
        }
      }
    }
  });
});

const bitsOf = (word: number): number => [...word.toString(2)].filter((bit) => bit === '1').length;
