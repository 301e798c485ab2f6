import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { PDFDocument, type PDFPage, PDFName, StandardFonts, degrees, rgb } from 'pdf-lib';
import { corpus } from '../../support.js';
import { expectedRows, rightCells, rowsOf, ruledTables, type TableTruth } from './support.js';
import { corpusTables, madeTables } from './table-truth.js';

/**
 * A document of one page with a grid of cells of 60 by 20 points, lines drawn by `draw`, and `row.column` in each cell.
 */
async function grid(
  rows: number,
  columns: number,
  draw: (page: PDFPage, xs: readonly number[], ys: readonly number[]) => void,
  change: (page: PDFPage) => void = () => undefined,
): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const page = document.addPage([500, 400]);
  const font = await document.embedFont(StandardFonts.Helvetica);
  const xs = Array.from({ length: columns + 1 }, (_, i) => 80 + 60 * i);
  const ys = Array.from({ length: rows + 1 }, (_, i) => 300 - 20 * i);
  draw(page, xs, ys);
  for (let r = 0; r < rows; r++)
    for (let c = 0; c < columns; c++)
      page.drawText(`${r + 1}.${c + 1}`, { x: xs[c]! + 8, y: ys[r + 1]! + 6, size: 10, font });
  change(page);
  return document.save();
}

const numbered = (rows: number, columns: number): TableTruth =>
  Array.from({ length: rows }, (_, r) => Array.from({ length: columns }, (_, c) => `${r + 1}.${c + 1}`));
const line = (page: PDFPage, x1: number, y1: number, x2: number, y2: number, thickness = 1): void =>
  page.drawLine({ start: { x: x1, y: y1 }, end: { x: x2, y: y2 }, thickness });
const strokes = (page: PDFPage, xs: readonly number[], ys: readonly number[]): void => {
  for (const x of xs) line(page, x, ys[0]!, x, ys.at(-1)!);
  for (const y of ys) line(page, xs[0]!, y, xs.at(-1)!, y);
};

describe('tables drawn on pages', function () {
  this.timeout(30_000);

  for (const [file, truth] of Object.entries(madeTables)) {
    it(`are found cell by cell in ${file}`, async () => {
      const found = await ruledTables(fileURLToPath(new URL(`../../fixtures/tables/${file}`, import.meta.url)));
      expect(found).to.have.lengthOf(truth.length);
      const { right, all, wrong } = rightCells(found, truth);
      expect(wrong, `${right} of ${all} cells`).to.deep.equal([]);
    });
  }

  for (const { file, page, tables } of corpusTables) {
    it(`are found in ${file}${corpus === undefined ? ' (skipped: no ../shared/corpus)' : ''}`, async function () {
      if (corpus === undefined || !existsSync(join(corpus, file))) this.skip();
      const found = await ruledTables(join(corpus, file), [page]);
      expect(rightCells(found, tables).wrong).to.deep.equal([]);
    });
  }

  const drawn: readonly (readonly [name: string, draw: Parameters<typeof grid>[2]])[] = [
    ['strokes', strokes],
    [
      'thin filled rectangles',
      (page, xs, ys) => {
        for (const x of xs) page.drawRectangle({ x: x - 0.5, y: ys.at(-1)!, width: 1, height: ys[0]! - ys.at(-1)! });
        for (const y of ys) page.drawRectangle({ x: xs[0]!, y: y - 0.5, width: xs.at(-1)! - xs[0]!, height: 1 });
      },
    ],
    [
      'a frame around each cell',
      (page, xs, ys) => {
        for (let c = 0; c + 1 < xs.length; c++)
          for (let r = 0; r + 1 < ys.length; r++)
            page.drawRectangle({ x: xs[c]!, y: ys[r + 1]!, width: 60, height: 20, borderWidth: 1 });
      },
    ],
    [
      'double lines',
      (page, xs, ys) => {
        for (const by of [-1, 1])
          strokes(
            page,
            xs.map((x) => x + by),
            ys.map((y) => y + by),
          );
      },
    ],
    [
      'dashes of a dash pattern',
      (page, xs, ys) => {
        for (const x of xs) page.drawLine({ start: { x, y: ys[0]! }, end: { x, y: ys.at(-1)! }, dashArray: [3, 3] });
        for (const y of ys) page.drawLine({ start: { x: xs[0]!, y }, end: { x: xs.at(-1)!, y }, dashArray: [1, 2] });
      },
    ],
    [
      'dashes drawn one by one',
      (page, xs, ys) => {
        for (const x of xs) for (let y = ys.at(-1)!; y < ys[0]!; y += 5) line(page, x, y, x, y + 3);
        for (const y of ys) for (let x = xs[0]!; x < xs.at(-1)!; x += 4) line(page, x, y, x + 2, y);
      },
    ],
    [
      'dots',
      (page, xs, ys) => {
        for (const x of xs)
          for (let y = ys.at(-1)!; y < ys[0]!; y += 3) page.drawRectangle({ x, y, width: 1, height: 1 });
        for (const y of ys)
          for (let x = xs[0]!; x < xs.at(-1)!; x += 3) page.drawCircle({ x, y, size: 0.6, color: rgb(0, 0, 0) });
      },
    ],
    [
      'coloured cells without lines',
      (page, xs, ys) => {
        for (let c = 0; c + 1 < xs.length; c++)
          for (let r = 0; r + 1 < ys.length; r++)
            page.drawRectangle({
              x: xs[c]!,
              y: ys[r + 1]!,
              width: 60,
              height: 20,
              color: rgb((r + c) % 2 === 0 ? 0.8 : 0.9, 0.9, 1),
            });
      },
    ],
    [
      'white lines on a colour',
      (page, xs, ys) => {
        page.drawRectangle({
          x: xs[0]! - 5,
          y: ys.at(-1)! - 5,
          width: xs.at(-1)! - xs[0]! + 10,
          height: ys[0]! - ys.at(-1)! + 10,
          color: rgb(0.2, 0.3, 0.6),
        });
        for (const x of xs) page.drawLine({ start: { x, y: ys[0]! }, end: { x, y: ys.at(-1)! }, color: rgb(1, 1, 1) });
        for (const y of ys) page.drawLine({ start: { x: xs[0]!, y }, end: { x: xs.at(-1)!, y }, color: rgb(1, 1, 1) });
      },
    ],
    [
      'no lines at the left and right',
      (page, xs, ys) => {
        for (const x of xs.slice(1, -1)) line(page, x, ys[0]!, x, ys.at(-1)!);
        for (const y of ys) line(page, xs[0]!, y, xs.at(-1)!, y);
      },
    ],
    [
      'no lines above and below',
      (page, xs, ys) => {
        for (const x of xs) line(page, x, ys[0]!, x, ys.at(-1)!);
        for (const y of ys.slice(1, -1)) line(page, xs[0]!, y, xs.at(-1)!, y);
      },
    ],
  ];
  for (const [name, draw] of drawn) {
    it(`are found when drawn as ${name}`, async () => {
      const [table, ...others] = await ruledTables(await grid(3, 4, draw));
      expect(others).to.be.empty;
      expect(table === undefined ? [] : rowsOf(table)).to.deep.equal(expectedRows(numbered(3, 4)));
    });
  }

  for (const turn of [90, 180, 270]) {
    it(`are read correctly on a cropped page with a UserUnit, rotated by ${turn} degrees`, async () => {
      const [table] = await ruledTables(
        await grid(3, 4, strokes, (page) => {
          page.setRotation(degrees(turn));
          page.setCropBox(40, 50, 420, 300);
          page.node.set(PDFName.of('UserUnit'), page.doc.context.obj(2));
        }),
      );
      expect(table === undefined ? [] : rowsOf(table)).to.deep.equal(expectedRows(numbered(3, 4)));
      expect(table?.columnWidths.map(Math.round)).to.deep.equal([120, 120, 120, 120]);
      expect(table?.rowHeights.map(Math.round)).to.deep.equal([40, 40, 40]);
    });
  }

  it('are cut where the crop box cuts them', async () => {
    const [table] = await ruledTables(await grid(3, 4, strokes, (page) => page.setCropBox(0, 0, 260, 400)));
    expect(table === undefined ? [] : rowsOf(table)).to.deep.equal(expectedRows(numbered(3, 3)));
  });

  it('are not found where nobody sees lines, nor in frames, charts, squared paper and page borders', async () => {
    const nothing: readonly (readonly [string, Parameters<typeof grid>[2]])[] = [
      [
        'white lines on paper',
        (page, xs, ys) => {
          for (const x of xs)
            page.drawLine({ start: { x, y: ys[0]! }, end: { x, y: ys.at(-1)! }, color: rgb(1, 1, 1) });
          for (const y of ys)
            page.drawLine({ start: { x: xs[0]!, y }, end: { x: xs.at(-1)!, y }, color: rgb(1, 1, 1) });
        },
      ],
      [
        'a frame in a frame',
        (page) => {
          page.drawRectangle({ x: 60, y: 200, width: 300, height: 150, borderWidth: 1 });
          page.drawRectangle({ x: 70, y: 210, width: 280, height: 130, borderWidth: 1 });
        },
      ],
      [
        'rules above and below',
        (page, xs, ys) => {
          for (const y of ys) line(page, xs[0]!, y, xs.at(-1)!, y);
        },
      ],
      [
        'squared paper',
        (page) => {
          for (let x = 0; x <= 500; x += 10) line(page, x, 5, x, 395, 0.2);
          for (let y = 5; y <= 395; y += 10) line(page, 0, y, 500, y, 0.2);
        },
      ],
      [
        'a border around the page',
        (page) => {
          page.drawRectangle({ x: 0, y: 0, width: 500, height: 400, color: rgb(1, 1, 0.9) });
          page.drawRectangle({ x: 0, y: 340, width: 500, height: 60, color: rgb(0, 0, 0.5) });
          page.drawRectangle({ x: 0, y: 0, width: 70, height: 340, color: rgb(0.7, 0.7, 0.9) });
        },
      ],
    ];
    for (const [name, draw] of nothing) expect(await ruledTables(await grid(3, 4, draw)), name).to.be.empty;
  });
});
