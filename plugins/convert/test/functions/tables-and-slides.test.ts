import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makePdf, readZip } from '@quire/plugin-kit';
import { expect } from 'chai';
import { drawnParts } from '../../src/functions/slides/drawn-parts.js';
import { pdfToPptx } from '../../src/functions/slides/pdf-to-pptx.js';
import { textBoxes } from '../../src/functions/slides/text-boxes.js';
import { readTables } from '../../src/functions/tables/read-tables.js';
import { sheetName } from '../../src/functions/tables/sheet-name.js';
import { tableCsv } from '../../src/functions/tables/table-csv.js';
import { Workbook } from '../../src/functions/tables/write-workbook.js';

type Content = Parameters<typeof textBoxes>[0];
type Word = Content['words'][number];
type Table = Parameters<typeof tableCsv>[0];

const style = {
  size: 10,
  family: 'Test',
  bold: false,
  italic: false,
  monospace: false,
  invisible: false,
  colour: '#000000',
};
const word = (text: string, left: number, base: number, more: Partial<Word> = {}): Word => ({
  text,
  box: { left, top: base - 8, right: left + 5 * text.length, bottom: base + 2 },
  baseline: base,
  angle: 0,
  style,
  spaced: true,
  startsLine: false,
  divided: false,
  mcid: -1,
  ...more,
});
const page = (words: readonly Word[], more: Partial<Content> = {}): Content => ({
  number: 1,
  width: 600,
  height: 800,
  words,
  rulings: [],
  fills: [],
  pictures: [],
  shapes: [],
  links: [],
  tags: [],
  ...more,
});
const linesOf = (content: Content): string[][] =>
  textBoxes(content).map(({ lines }) => lines.map((runs) => runs.map(({ text }) => text).join('')));

/** A table of one row. */
const row = (...texts: readonly string[]): Table => ({
  box: { left: 0, top: 0, right: 100, bottom: 20 },
  rows: 1,
  columns: texts.length,
  ruled: true,
  angle: 0,
  columnWidths: texts.map(() => 50),
  rowHeights: [20],
  cells: texts.map((text, column) => ({
    row: 0,
    column,
    rowSpan: 1,
    colSpan: 1,
    box: { left: 0, top: 0, right: 50, bottom: 20 },
    lines: [[word(text, 0, 10)]],
  })),
});

describe('tables as files', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-tables-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('quotes every field and leaves what begins like a formula as it is', () => {
    expect(Buffer.from(tableCsv(row('=1+1', 'a "b"', '-3', '@x'))).toString()).to.equal(
      '"=1+1","a ""b""","-3","@x"\r\n',
    );
  });

  it('names sheets as programs take them, each once', () => {
    const taken = new Set<string>();
    expect(
      ['Page 1', 'page 1', 'a/b\\c?[d]*:', "'x'", '', 'y'.repeat(40), 'Y'.repeat(40)].map((name) =>
        sheetName(name, taken),
      ),
    ).to.deep.equal(['Page 1', 'page 1 (2)', 'a b c  d', 'x', 'Sheet', 'y'.repeat(31), `${'Y'.repeat(27)} (2)`]);
  });

  it('writes what XML cannot hold, escapes and long text so that programs read the same', async () => {
    const book = new Workbook();
    book.add({ page: 1, number: 1, ofPage: 1, table: row('a\u0001b\ud800', '_x0041_', 'z'.repeat(40_000), '007') });
    await book.write(join(folder, 'b.xlsx'));
    const all = (await readZip(await readFile(join(folder, 'b.xlsx'))))
      .map(({ bytes }) => Buffer.from(bytes).toString())
      .join('');
    expect(all)
      .to.contain('>ab<')
      .and.to.contain('_x005F_x0041_')
      .and.to.contain('>007<')
      .and.to.contain(`>${'z'.repeat(32_767)}<`);
  });

  it('ends between two pages when the run is cancelled, and reports its progress', async () => {
    const control = new AbortController();
    const seen: string[] = [];
    const pages = fileURLToPath(new URL('../../fixtures/tables.pdf', import.meta.url));
    const run = readTables(
      pages,
      {
        select: (count) => Array.from({ length: count }, (_, i) => i),
        signal: control.signal,
        progress: (done, total) => {
          seen.push(`${done}/${total}`);
          control.abort(new Error('enough'));
        },
      },
      () => undefined,
    );
    expect(
      await run.then(
        () => 'ended',
        (error: Error) => error.message,
      ),
    ).to.equal('enough');
    expect(seen).to.deep.equal(['1/2']);
  });
});

describe('slides', () => {
  it('join lines that begin, end or have their middle at one place, and nothing else', () => {
    expect(
      linesOf(
        page([
          word('first', 50, 100),
          word('line', 80, 100),
          word('second', 50, 112),
          word('far', 50, 160),
          word('beside', 300, 100),
        ]),
      ),
    ).to.deep.equal([['first line', 'second'], ['beside'], ['far']]);
    expect(
      textBoxes(page([word('a', 100, 100), word('wider', 90, 112), word('b', 100, 124)])).map(({ align, lines }) => [
        align,
        lines.length,
      ]),
    ).to.deep.equal([['center', 3]]);
    expect(
      textBoxes(page([word('right', 175, 100), word('longer', 170, 112)])).map(({ align, lines }) => [
        align,
        lines.length,
      ]),
    ).to.deep.equal([['right', 2]]);
  });

  it('keep the cells of a ruled table apart, however near their text is', () => {
    const ruling = (direction: 'horizontal' | 'vertical', at: number, from: number, to: number) => ({
      direction,
      at,
      from,
      to,
      thickness: 1,
      colour: '#000000',
    });
    const rulings = [
      ...[90, 104, 118].map((at) => ruling('horizontal', at, 48, 68)),
      ...[48, 58, 68].map((at) => ruling('vertical', at, 90, 118)),
    ];
    expect(
      linesOf(page([word('a', 50, 100), word('b', 60, 100), word('c', 50, 114), word('d', 60, 114)], { rulings })),
    ).to.deep.equal([['a'], ['b'], ['c'], ['d']]);
  });

  it('raise and lower what is smaller and off its line, and put marks of lists apart', () => {
    const small = { ...style, size: 6 };
    const [box] = textBoxes(
      page([
        word('H', 50, 100),
        word('2', 55, 102, { style: small, spaced: false }),
        word('O', 58, 100, { spaced: false }),
        word('x', 67, 100),
        word('3', 72, 95, { style: small, spaced: false }),
      ]),
    );
    expect(box?.lines[0]?.map(({ text, position, size }) => [text, position, size])).to.deep.equal([
      ['H', 'normal', 10],
      ['2', 'subscript', 10],
      ['O x', 'normal', 10],
      ['3', 'superscript', 10],
    ]);
    expect(linesOf(page([word('•', 50, 100), word('item', 62, 100)]))).to.deep.equal([['•'], ['item']]);
  });

  it('write text from the right in its order, aligned there', () => {
    const [box] = textBoxes(page([word('עולם', 50, 100), word('שלום', 75, 100)]));
    expect([box?.rtl, box?.align, box?.lines[0]?.[0]?.text]).to.deep.equal([true, 'right', 'שלום עולם']);
  });

  it('turn boxes as the text is turned, about their middle', () => {
    const [up] = textBoxes(
      page([{ ...word('upwards', 0, 100), angle: 90, box: { left: 92, right: 102, top: 200, bottom: 235 } }]),
    );
    expect([
      up?.turn,
      Math.round((up?.left ?? 0) + (up?.width ?? 0) / 2),
      Math.round((up?.top ?? 0) + (up?.height ?? 0) / 2),
      Math.round(up?.width ?? 0),
    ]).to.deep.equal([270, 96, 218, 35]);
  });

  it('cut drawings into parts that stand by themselves', () => {
    const [width, height] = [200, 100];
    const pixels = new Uint8Array(width * height * 4).fill(255);
    const paint = (left: number, top: number, right: number, bottom: number): void => {
      for (let y = top; y < bottom; y++)
        for (let x = left; x < right; x++) pixels.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3);
    };
    expect(drawnParts(pixels, width, height)).to.be.empty;
    paint(10, 10, 30, 30);
    paint(35, 12, 50, 20);
    paint(150, 60, 199, 99);
    expect(drawnParts(pixels, width, height)).to.deep.equal([
      { left: 8, top: 8, width: 48, height: 24 },
      { left: 144, top: 56, width: 56, height: 44 },
    ]);
  });

  it('are written page by page, and not at all once the run is cancelled', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'quire-slides-'));
    try {
      const { writeFile } = await import('node:fs/promises');
      await writeFile(join(folder, 'a.pdf'), await makePdf({ pages: 3 }));
      const seen: number[] = [];
      const control = new AbortController();
      const run = pdfToPptx(join(folder, 'a.pdf'), join(folder, 'a.pptx'), {
        signal: control.signal,
        progress: (done) => {
          seen.push(done);
          if (done === 2) control.abort(new Error('enough'));
        },
      });
      expect(
        await run.then(
          () => 'ended',
          (error: Error) => error.message,
        ),
      ).to.equal('enough');
      expect(seen).to.deep.equal([1, 2]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
