import { expect } from 'chai';
import type { Ruling, Word } from '../../../layout/index.js';
import { findAlignedTables, findRuledTables, linesText, readingLines } from '../../../layout/tables/index.js';
import { rowsOf } from './support.js';

/**
 * Most that a page can have takes ten seconds: a quarter of it, in a quarter of the time, shows as well what grows
 * faster than its input.
 */
const full = process.env['QUIRE_FULL'] === '1';
const share = full ? 1 : 4;

const style = {
  size: 10,
  family: 'Test',
  bold: false,
  italic: false,
  monospace: false,
  invisible: false,
  colour: '#000000',
};

/** A word of letters 5 points wide whose line stands at `base`. */
function word(text: string, left: number, base: number, more: Partial<Word> = {}): Word {
  return {
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
  };
}

/** Words of a line, blanks between them. */
function line(text: string, left: number, base: number): Word[] {
  let at = left;
  return text.split(' ').map((part) => {
    const made = word(part, at, base);
    at += 5 * (part.length + 0.6);
    return made;
  });
}

const ruling = (direction: Ruling['direction'], at: number, from: number, to: number): Ruling => ({
  direction,
  at,
  from,
  to,
  thickness: 1,
  colour: '#000000',
});
const page = (rulings: readonly Ruling[], words: readonly Word[]) => ({
  width: 10_000,
  height: 10_000,
  words,
  rulings,
  fills: [],
  shapes: [],
});

/** Lines of a grid whose tracks are `step` apart. */
function gridLines(count: number, step: number): Ruling[] {
  return Array.from({ length: count }, (_, i) => i * step + 10).flatMap((at) => [
    ruling('horizontal', at, 10, 10 + (count - 1) * step),
    ruling('vertical', at, 10, 10 + (count - 1) * step),
  ]);
}

describe('tables of lines and words', () => {
  it('gives every place of the grid to exactly one cell, also where merged cells would be no rectangle', () => {
    const lines = [
      ...[10, 110].map((at) => ruling('horizontal', at, 10, 310)),
      ...[10, 310].map((at) => ruling('vertical', at, 10, 110)),
      // An L of three places around the upper right one.
      ruling('horizontal', 60, 160, 310),
      ruling('vertical', 160, 10, 60),
      ruling('vertical', 240, 60, 110),
    ];
    const [table] = findRuledTables(
      page(lines, [word('a', 20, 40), word('b', 200, 40), word('c', 20, 100), word('d', 280, 100)]),
    );
    const places = new Set<string>();
    for (const { row, column, rowSpan, colSpan } of table?.cells ?? []) {
      for (let r = row; r < row + rowSpan; r++)
        for (let c = column; c < column + colSpan; c++)
          expect(places.has(`${r} ${c}`), `${r} ${c}`).to.equal(false) || places.add(`${r} ${c}`);
    }
    expect(table === undefined ? 0 : table.rows * table.columns).to.equal(
      table?.cells.reduce((sum, { rowSpan, colSpan }) => sum + rowSpan * colSpan, 0),
    );
    expect(
      table?.cells
        .flatMap(({ lines: text }) => linesText(text))
        .filter((text) => text !== '')
        .toSorted(),
    ).to.deep.equal(['a', 'b', 'c', 'd']);
  });

  it('leaves out lines that touch a table without enclosing anything', () => {
    const lines = [...gridLines(4, 50), ruling('horizontal', 60, 0, 900), ruling('vertical', 60, 10, 700)];
    const words = [1, 2, 3].flatMap((r) => [1, 2, 3].map((c) => word(`${r}${c}`, 50 * c - 20, 50 * r - 10)));
    const tables = findRuledTables(page(lines, [...words, ...line('text beside the table that is long', 300, 80)]));
    expect(tables.map(rowsOf)).to.deep.equal([
      [
        ['11', '12', '13'],
        ['21', '22', '23'],
        ['31', '32', '33'],
      ],
    ]);
  });

  it('joins words that are divided at the end of a line, and keeps a hyphen that ends the cell', () => {
    expect(
      linesText(
        readingLines([
          word('Ber', 10, 20, { divided: true }),
          word('lin', 10, 32),
          word('Mit', 10, 44, { divided: true }),
        ]),
      ),
    ).to.equal('Berlin\nMit-');
  });

  it('reads lines from the right with numbers and foreign words in their own direction', () => {
    expect(
      linesText(
        readingLines([
          word('שלום', 90, 20),
          word('Ann', 52, 20),
          word('Lee', 70, 20),
          word('עליכם', 22, 20),
          word('25', 8, 20),
        ]),
      ),
    ).to.equal('שלום Ann Lee עליכם 25');
  });

  it('reads text that runs upwards or downwards along its lines', () => {
    const up = (text: string, bottom: number, x: number): Word => ({
      ...word(text, 0, x),
      angle: 90,
      box: { left: x - 8, right: x + 2, top: bottom - 5 * text.length, bottom },
    });
    const down = (text: string, top: number, x: number): Word => ({
      ...word(text, 0, x),
      angle: 270,
      box: { left: x - 2, right: x + 8, top, bottom: top + 5 * text.length },
    });
    expect(
      linesText(readingLines([up('line', 60, 32), up('first', 100, 20), up('second', 100, 32), up('one', 60, 20)])),
    ).to.equal('first one\nsecond line');
    expect(
      linesText(
        readingLines([down('line', 60, 20), down('first', 10, 32), down('second', 10, 20), down('one', 60, 32)]),
      ),
    ).to.equal('first one\nsecond line');
  });

  it(
    'is quick with tens of thousands of lines and words (QUIRE_FULL: as many as a page can have), whatever they ' +
      'draw',
    function () {
      this.timeout(full ? 150_000 : 40_000);
      const words = Array.from({ length: 300_000 / share }, (_, i) =>
        word('x', (i % 1000) * 9, Math.floor(i / 1000) * 30),
      );
      const hatch = Array.from({ length: 50_000 / share }, (_, i) => [
        ruling('horizontal', i / 10, 0, 9000),
        ruling('vertical', i / 10, 0, 9000),
      ]).flat();
      const boxes = Array.from({ length: 25_000 / share }, (_, i) => [
        ruling('horizontal', 20 * Math.floor(i / 150), 20 * (i % 150), 20 * (i % 150) + 14),
        ruling('vertical', 20 * (i % 150), 20 * Math.floor(i / 150), 20 * Math.floor(i / 150) + 14),
      ]).flat();
      const same = Array.from({ length: 100_000 / share }, (_, i) =>
        ruling(i % 2 === 0 ? 'horizontal' : 'vertical', 500, 0, 1000),
      );
      for (const lines of [hatch, boxes, same]) findRuledTables(page(lines, words));
      const side = full ? 300 : 150;
      const inCells = Array.from({ length: side * side }, (_, i) =>
        word('x', 20 + 30 * (i % side), 30 + 30 * Math.floor(i / side)),
      );
      expect(findRuledTables(page(gridLines(side + 1, 30), inCells))[0]?.cells.length).to.equal(side * side);
    },
  );
});

describe('tables without lines', () => {
  const rows = (texts: readonly (readonly string[])[], lefts: readonly number[]): Word[] =>
    texts.flatMap((row, r) => row.flatMap((text, c) => (text === '' ? [] : line(text, lefts[c]!, 100 + 14 * r))));

  it('are rows of parts that stand under each other', () => {
    const [table] = findAlignedTables(
      rows(
        [
          ['Name', 'City', 'Sum'],
          ['Ann', 'Paris', '12'],
          ['Bob Lee', 'Rome', '7'],
          ['Cy', 'New York', '19'],
        ],
        [10, 150, 300],
      ),
    );
    expect(table === undefined ? [] : rowsOf(table)).to.deep.equal([
      ['Name', 'City', 'Sum'],
      ['Ann', 'Paris', '12'],
      ['Bob Lee', 'Rome', '7'],
      ['Cy', 'New York', '19'],
    ]);
    expect(table?.ruled).to.equal(false);
  });

  it('keep empty places and headers over several columns', () => {
    const words = [
      ...line('All the sales of the year', 140, 86),
      ...rows(
        [
          ['North', '10', '20'],
          ['South', '', '30'],
          ['East', '11', ''],
          ['West', '12', '22'],
          ['Sum', '33', '72'],
        ],
        [10, 150, 250],
      ),
    ];
    const [table] = findAlignedTables([word('Region', 10, 86), ...words]);
    expect(table === undefined ? [] : rowsOf(table)).to.deep.equal([
      ['Region', 'All the sales of the year {1x2}'],
      ['North', '10', '20'],
      ['South', '', '30'],
      ['East', '11', ''],
      ['West', '12', '22'],
      ['Sum', '33', '72'],
    ]);
  });

  it('keep a header on the left over its column of numbers on the right', () => {
    const names = ['Artikel', 'Menge', 'Preis', 'Summe'];
    const body = [
      ['Teil 1', '1', '1.5', '1.5'],
      ['Teil 2', '2', '3.0', '6.0'],
      ['Teil 3', '3', '4.5', '13.5'],
      ['Teil 4', '4', '6.0', '24.0'],
      ['Teil 5', '5', '7.5', '37.5'],
    ];
    const toRight = (text: string, right: number, base: number): Word => word(text, right - 5 * text.length, base);
    // A header over every column, over three rows and over five, and one without a title over the second.
    for (const [count, header] of [
      [3, names],
      [5, names],
      [5, ['Artikel', '', 'Preis', 'Summe']],
    ] as const) {
      const words = [
        ...header.flatMap((name, c) => (name === '' ? [] : [word(name, 60 + 64 * c, 100)])),
        ...body
          .slice(0, count)
          .flatMap(([first, ...rest], r) => [
            ...line(first!, 60, 113 + 13 * r),
            ...rest.map((text, c) => toRight(text, 184 + 64 * c, 113 + 13 * r)),
          ]),
      ];
      const [table] = findAlignedTables(words);
      expect(table === undefined ? [] : rowsOf(table)).to.deep.equal([header, ...body.slice(0, count)]);
    }
  });

  it('are not found in prose, columns of prose, lists, tables of contents and two rows', () => {
    const prose = 'some words that make a line of plain text';
    const none: readonly (readonly [string, Word[]])[] = [
      ['prose', rows([[prose], [prose], [prose], [prose]], [10])],
      [
        'columns',
        rows(
          [
            [prose, prose],
            [prose, prose],
            [prose, prose],
            [prose, prose],
          ],
          [10, 300],
        ),
      ],
      [
        'narrow columns',
        rows(
          [
            ['and so it', 'went on for'],
            ['years until', 'the day came'],
            ['when nobody', 'would have it'],
            ['any more at', 'all they said'],
          ],
          [10, 120],
        ),
      ],
      [
        'list',
        rows(
          [
            ['1.', 'first point'],
            ['2.', 'second point'],
            ['3.', 'third point'],
          ],
          [10, 40],
        ),
      ],
      [
        'bullets',
        rows(
          [
            ['•', 'first point'],
            ['•', 'second point'],
            ['•', 'third point'],
          ],
          [10, 40],
        ),
      ],
      [
        'contents',
        rows(
          [
            ['Preface', '1'],
            ['Beginning', '3'],
            ['Middle', '20'],
            ['End', '41'],
          ],
          [10, 300],
        ),
      ],
      [
        'leaders',
        rows(
          [
            ['Preface ..........', '1'],
            ['Beginning ........', '3'],
            ['Middle ...........', '20'],
          ],
          [10, 300],
        ),
      ],
      [
        'two rows',
        rows(
          [
            ['a', 'b', 'c'],
            ['d', 'e', 'f'],
          ],
          [10, 100, 200],
        ),
      ],
    ];
    for (const [name, words] of none) expect(findAlignedTables(words), name).to.be.empty;
  });

  it('are looked for quickly in very many words', function () {
    this.timeout(full ? 150_000 : 40_000);
    const [table, ...others] = findAlignedTables(
      Array.from({ length: 300_000 / share }, (_, i) => word('x', (i % 1000) * 20, Math.floor(i / 1000) * 12)),
    );
    expect([table?.cells.length, others.length]).to.deep.equal([300_000 / share, 0]);
    expect(findAlignedTables(Array.from({ length: 200_000 / share }, (_, i) => word('x', i * 20, 12)))).to.have.length(
      0,
    );
  });
});
