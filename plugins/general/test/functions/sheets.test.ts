import { expect } from 'chai';
import { applyToBox, type Box, type UprightPage } from '@quire/document/structure/geometry';
import type { Sheet } from '@quire/document/structure/imposition';
import { bookletOrder, bookletSides } from '../../src/functions/pages/booklet-order.js';
import { bookletSheets } from '../../src/functions/pages/impose-booklet.js';
import {
  cellOf,
  fillsSheet,
  gridOf,
  type LayoutParams,
  marginWithoutRoom,
} from '../../src/functions/pages/page-grid.js';
import { layoutSheets } from '../../src/functions/pages/page-layout.js';
import { stackedSheet } from '@quire/document/structure/imposition';
import { posterSheets } from '../../src/functions/pages/tile-poster.js';

const DEFAULTS: LayoutParams = {
  mode: 'DEFAULT',
  pagesPerSheet: 2,
  rows: 1,
  cols: 2,
  arrangement: 'BY_ROWS',
  readingDirection: 'LTR',
  orientation: 'PORTRAIT',
  innerMargin: 0,
  topMargin: 0,
  bottomMargin: 0,
  leftMargin: 0,
  rightMargin: 0,
};

const page = (width: number, height: number): UprightPage => ({
  matrix: [1, 0, 0, 1, 0, 0],
  width,
  height,
  box: [0, 0, width, height],
});
const boxes = ({ placements }: Sheet, pages: readonly UprightPage[]): Box[] =>
  placements.map(
    ({ page: index, matrix }) =>
      applyToBox(matrix, pages[index]!.box).map((edge) => Math.round(edge * 100) / 100) as unknown as Box,
  );

describe('cells of a sheet', () => {
  it('are two side by side, a square, or as many as requested', () => {
    expect([1, 2, 4, 9, 16, 90_000].map(fillsSheet)).to.deep.equal([true, true, true, true, true, true]);
    expect([0, 3, 5, 8, 10, 90_601].map(fillsSheet)).to.deep.equal([false, false, false, false, false, false]);
    const shape = (params: Partial<LayoutParams>): number[] => [
      gridOf({ ...DEFAULTS, ...params }).columns,
      gridOf({ ...DEFAULTS, ...params }).rows,
    ];
    expect([
      shape({}),
      shape({ pagesPerSheet: 9 }),
      shape({ mode: 'CUSTOM', rows: 4, cols: 3 }),
      shape({ mode: 'CUSTOM', pagesPerSheet: 9 }),
    ]).to.deep.equal([
      [2, 1],
      [3, 3],
      [3, 4],
      [2, 1],
    ]);
  });

  it('are filled by rows or columns, from the left or the right', () => {
    const order = (
      arrangement: LayoutParams['arrangement'],
      readingDirection: LayoutParams['readingDirection'],
    ): string =>
      [0, 1, 2, 3, 4, 5]
        .map((place) =>
          cellOf(
            gridOf({ ...DEFAULTS, mode: 'CUSTOM', rows: 2, cols: 3 }),
            { arrangement, readingDirection },
            place,
          ).join(''),
        )
        .join(' ');
    expect(order('BY_ROWS', 'LTR')).to.equal('00 10 20 01 11 21');
    expect(order('BY_ROWS', 'RTL')).to.equal('20 10 00 21 11 01');
    expect(order('BY_COLUMNS', 'LTR')).to.equal('00 01 10 11 20 21');
    expect(order('BY_COLUMNS', 'RTL')).to.equal('20 21 10 11 00 01');
  });

  it('must leave space for pages, and the margin that leaves none is named', () => {
    const tight = (params: Partial<LayoutParams>) => marginWithoutRoom({ ...DEFAULTS, ...params });
    expect([
      tight({}),
      tight({ leftMargin: 10, rightMargin: 590 }),
      tight({ topMargin: 842 }),
      tight({ innerMargin: 149 }),
      tight({ innerMargin: 148 }),
    ]).to.deep.equal([undefined, 'rightMargin', 'topMargin', 'innerMargin', undefined]);
    expect(tight({ orientation: 'LANDSCAPE', leftMargin: 600 })).to.equal(undefined);
  });
});

describe('several pages on a sheet', () => {
  it('are centred in their cells, scaled evenly, within all margins', () => {
    const pages = [page(100, 100), page(100, 400), page(200, 100)];
    const params: LayoutParams = {
      ...DEFAULTS,
      leftMargin: 95.27559,
      topMargin: 41.88976,
      bottomMargin: 300,
      innerMargin: 10,
    };
    const [first, second, ...none] = layoutSheets(pages, params);
    expect(none).to.have.length(0);
    expect(first!.size.map(Math.round)).to.deep.equal([595, 842]);
    // Cells of 250 by 500, less 10 on each side.
    expect(boxes(first!, pages)).to.deep.equal([
      [105.28, 435, 335.28, 665],
      [410.28, 310, 530.28, 790],
    ]);
    expect(boxes(second!, pages)).to.deep.equal([[105.28, 492.5, 335.28, 607.5]]);
  });

  it('get a line around each drawn page, but not around blank cells', () => {
    const pages = [page(100, 100), page(100, 100), page(100, 100)];
    const [first, second] = layoutSheets(pages, DEFAULTS, 3);
    expect(first!.decoration).to.match(/^3 w\n(?:[\d.]+ [\d.]+ [\d.]+ [\d.]+ re S\n?){2}$/);
    expect(second!.decoration?.match(/re S/g)).to.have.length(1);
    expect(layoutSheets(pages, DEFAULTS)[0]!.decoration).to.equal(undefined);
  });
});

describe('a booklet', () => {
  const order = (pages: number, rest: Partial<Parameters<typeof bookletOrder>[1]> = {}): string =>
    bookletOrder(pages, { pass: 'BOTH', spineRight: false, flipBacks: false, ...rest })
      .map((side) => side.map((index) => (index === undefined ? '-' : index + 1)).join('|'))
      .join(' ');

  it('has its pages in order after folding', () => {
    expect(order(8)).to.equal('8|1 2|7 6|3 4|5');
    expect(order(5)).to.equal('-|1 2|- -|3 4|5');
    expect(order(1)).to.equal('-|1 -|-');
  });

  it('can be bound at the right, printed in two passes, or flipped on the short edge', () => {
    expect(order(8, { spineRight: true })).to.equal('1|8 7|2 3|6 5|4');
    expect(order(8, { pass: 'FIRST' })).to.equal('8|1 6|3');
    expect(order(8, { pass: 'SECOND' })).to.equal('2|7 4|5');
    expect(order(8, { flipBacks: true })).to.equal('8|1 7|2 6|3 5|4');
    expect(order(8, { flipBacks: true, spineRight: true, pass: 'SECOND' })).to.equal('2|7 4|5');
    expect([1, 4, 5, 8, 9].map((count) => [bookletSides(count, 'BOTH'), bookletSides(count, 'SECOND')])).to.deep.equal([
      [2, 1],
      [2, 1],
      [4, 2],
      [4, 2],
      [6, 3],
    ]);
  });

  it('has half of the gutter on each side of the spine, and lines around blank halves too', () => {
    const pages = [page(200, 300)];
    const sheet = (gutter: number): Sheet =>
      bookletSheets(
        pages,
        [
          [0, undefined],
          [undefined, 0],
        ],
        [400, 300],
        { gutter, border: true },
      )[0]!;
    const halves = (gutter: number) =>
      bookletSheets(
        pages,
        [
          [0, undefined],
          [undefined, 0],
        ],
        [400, 300],
        { gutter, border: false },
      ).map((one) => boxes(one, pages)[0]);
    expect(halves(0)).to.deep.equal([
      [0, 0, 200, 300],
      [200, 0, 400, 300],
    ]);
    expect(halves(100)).to.deep.equal([
      [0, 37.5, 150, 262.5],
      [250, 37.5, 400, 262.5],
    ]);
    expect(halves(-5)).to.deep.equal(halves(0));
    // Half a sheet or more means one point less than half a sheet.
    expect(halves(200)).to.deep.equal(halves(199));
    expect(halves(9999)).to.deep.equal(halves(199));
    expect(sheet(100).decoration).to.equal('1.5 w\n0.75 0.75 148.5 298.5 re S\n250.75 0.75 148.5 298.5 re S');
  });
});

describe('pages stacked into one', () => {
  it('are below each other at the left edge, unscaled', () => {
    const pages = [page(100, 50), page(300, 20), page(200, 30)];
    const sheet = stackedSheet(pages);
    expect(sheet.size).to.deep.equal([300, 100]);
    expect(boxes(sheet, pages)).to.deep.equal([
      [0, 50, 100, 100],
      [0, 30, 300, 50],
      [0, 0, 200, 30],
    ]);
    expect(sheet.placements.map(({ layer }) => layer)).to.deep.equal(['Layer0', 'Layer1', 'Layer2']);
  });
});

describe('a poster', () => {
  it('shows each cell as large as the paper allows, rows from the top', () => {
    const one = page(200, 100);
    const grid = { columns: 2, rows: 2, sheet: [400, 600] as const };
    const sheets = posterSheets(one, 0, { ...grid, rightToLeft: false });
    // Cells of 100 by 50 are enlarged four times, with 200 points free above and below.
    expect(sheets.map((sheet) => boxes(sheet, [one])[0])).to.deep.equal([
      [0, 0, 800, 400],
      [-400, 0, 400, 400],
      [0, 200, 800, 600],
      [-400, 200, 400, 600],
    ]);
    expect(sheets.map(({ placements }) => placements[0]!.part)).to.deep.equal([
      [0, 50, 100, 100],
      [100, 50, 200, 100],
      [0, 0, 100, 50],
      [100, 0, 200, 50],
    ]);
    expect(
      posterSheets(one, 0, { ...grid, rightToLeft: true }).map(({ placements }) => placements[0]!.part![0]),
    ).to.deep.equal([100, 0, 100, 0]);
  });
});
