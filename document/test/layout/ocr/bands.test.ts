import { expect } from 'chai';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { recognizePages, type ReadPage } from '../../../layout/ocr/index.js';
import { type Band, bandPicture, bandsOf, joinBands } from '../../../layout/ocr/bands.js';
import type { Samples } from '../../../layout/ocr/grey-picture.js';
import { withPdf } from '../../../file/open/index.js';

const [WIDTH, HEIGHT, DPI] = [1000, 1400, 120];
const [LINE, INK_ROWS] = [20, 12];

interface Column {
  readonly left: number;
  readonly right: number;
}
const ALL: Column = { left: 80, right: 920 };

function paper(): Samples {
  return { width: WIDTH, height: HEIGHT, channels: 1, data: new Uint8Array(WIDTH * HEIGHT).fill(250) };
}

/** Draws a line of words, whose spaces are never below each other; `y`: its upper edge. */
function drawLine({ data }: Samples, y: number, { left, right }: Column = ALL): void {
  for (let x = left, word = Math.floor(y / LINE); x < right; word++) {
    const end = Math.min(right, x + 25 + ((word * 37) % 60));
    for (let row = y; row < y + INK_ROWS; row++) data.fill(20, row * WIDTH + x, row * WIDTH + end);
    x = end + 6;
  }
}

/** A page of lines; `after`: numbers of lines that are followed by a larger gap. */
function page(lines: number, after: readonly number[] = [], columns: readonly Column[] = [ALL]): Samples {
  const picture = paper();
  let y = 100;
  for (let line = 0; line < lines; line++) {
    for (const column of columns) drawLine(picture, y, column);
    y += after.includes(line) ? 2 * LINE : LINE;
  }
  return picture;
}

const isBlank = ({ data }: Samples, row: number): boolean =>
  data.subarray(row * WIDTH, (row + 1) * WIDTH).every((value) => value > 200);
const bottomOf = (line: number): number => 100 + line * LINE + INK_ROWS;

describe('The bands of a page', () => {
  it('are divided between paragraphs where that is near the middle, else between lines of one', () => {
    const [first, second, ...more] = bandsOf(page(40, [17, 35]), DPI, 2);
    expect(more).to.deep.equal([]);
    expect(second?.goesOn).to.equal(false);
    expect(first?.bottom, 'below line 17, with the gap').to.equal(bottomOf(17) + 2 * LINE - INK_ROWS);
    expect(second?.top).to.equal(bottomOf(17));
    const [upper, lower] = bandsOf(page(40), DPI, 2);
    expect([upper?.goesOn, lower?.goesOn]).to.deep.equal([false, true]);
    expect(lower?.top).to.equal(bottomOf(19));
  });

  it('contain every row of the page, begin and end with blank ones, and are about equal', () => {
    for (const parts of [2, 3, 5]) {
      const picture = page(50, [9, 20, 33]);
      const bands = bandsOf(picture, DPI, parts);
      expect(bands).to.have.length(parts);
      expect([bands[0]?.top, bands.at(-1)?.bottom]).to.deep.equal([0, HEIGHT]);
      for (const [index, band] of bands.entries()) {
        const next: Band | undefined = bands[index + 1];
        if (next !== undefined) expect(next.top, 'overlaps in a gap').to.be.lessThan(band.bottom);
        for (let row = next?.top ?? HEIGHT; row < band.bottom; row++) expect(isBlank(picture, row)).to.equal(true);
        expect(band.bottom - band.top).to.be.lessThan((2 * HEIGHT) / parts);
      }
    }
  });

  it('are one where the page has columns, also below a title, or a table', () => {
    const two = [
      { left: 80, right: 480 },
      { left: 520, right: 920 },
    ];
    expect(bandsOf(page(40, [], two), DPI, 2), 'columns').to.have.length(1);
    const titled = page(40, [], two);
    for (let line = 0; line < 18; line++) drawLine(titled, 100 + line * LINE);
    expect(bandsOf(titled, DPI, 3), 'the middle is where the columns begin').to.satisfy((bands: Band[]) =>
      bands.every(({ top }) => top <= bottomOf(17)),
    );
    const cells = Array.from({ length: 4 }, (_none, i) => ({ left: 80 + i * 220, right: 200 + i * 220 }));
    expect(bandsOf(page(40, [], cells), DPI, 2), 'a table').to.have.length(1);
  });

  it('are one where the page has few lines, a picture, or lines that are not level', () => {
    expect(bandsOf(page(10), DPI, 2)).to.have.length(1);
    expect(bandsOf(paper(), DPI, 2)).to.have.length(1);
    const photo = page(40);
    for (let row = 300; row < 900; row++) photo.data.fill(90, row * WIDTH + 200, row * WIDTH + 800);
    expect(bandsOf(photo, DPI, 2)).to.have.length(1);
    const skewed = paper();
    const { data } = page(40);
    for (let y = 0; y < HEIGHT; y++)
      for (let x = 0; x < WIDTH; x++) skewed.data[y * WIDTH + x] = data[(y + (x >> 4)) * WIDTH + x] ?? 250;
    expect(bandsOf(skewed, DPI, 2)).to.have.length(1);
    expect(bandsOf(page(40), DPI, 1)).to.have.length(1);
  });

  it('are found between specks and shadows at the sides', () => {
    const dirty = page(40);
    for (let y = 0; y < HEIGHT; y++) {
      dirty.data.fill(0, y * WIDTH, y * WIDTH + 30);
      dirty.data[y * WIDTH + 100 + ((y * 13) % 700)] = 0;
    }
    expect(bandsOf(dirty, DPI, 2)).to.have.length(2);
  });

  it('are read as pictures with paper around them, and put together where they were', () => {
    const picture = page(40);
    const bands = bandsOf(picture, DPI, 2);
    const reads = bands.map((band) => {
      const { picture: part, shift } = bandPicture(picture, band, DPI);
      if (band.top > 0) for (let row = 0; row < 18; row++) expect(isBlank(part, row)).to.equal(true);
      return { read: inkLines(part), shift, goesOn: band.goesOn };
    });
    expect(joinBands(reads)).to.deep.equal(inkLines(picture));
  });

  it('keep paragraphs apart that are apart on the page', () => {
    const picture = page(40, [19]);
    const reads = bandsOf(picture, DPI, 2).map((band) => {
      const { picture: part, shift } = bandPicture(picture, band, DPI);
      return { read: inkLines(part), shift, goesOn: band.goesOn };
    });
    expect(joinBands(reads).paragraphs.map((lines) => lines.length)).to.deep.equal([20, 20]);
  });
});

/** "Recognises" a picture: one paragraph with a line of one word for each run of rows with ink. */
function inkLines(picture: Samples): ReadPage {
  const lines: ReadPage['paragraphs'][number][number][] = [];
  for (let y = 0, from = -1; y <= picture.height; y++) {
    const inked = y < picture.height && !isBlank(picture, y);
    if (inked && from < 0) from = y;
    if (inked || from < 0) continue;
    const box = [ALL.left, from, ALL.right, y] as const;
    lines.push({
      box,
      angle: 0,
      slope: 0,
      offset: 0,
      size: y - from,
      words: [{ text: `w${y - from}`, box, confidence: 90 }],
    });
    from = -1;
  }
  return { width: picture.width, height: picture.height, paragraphs: [lines] };
}

function hocrOf({ width, height, paragraphs }: ReadPage): string {
  const words = paragraphs.flat().map(({ box: [l, t, r, b], size }, index) => {
    const title = `bbox ${l} ${t} ${r} ${b}`;
    return (
      `<span class='ocr_line' title='${title}; baseline 0 0; x_size ${size}'>` +
      `<span class='ocrx_word' title='${title}; x_wconf 90'>word${index % 7}</span></span>`
    );
  });
  return `<div class='ocr_page' title='bbox 0 0 ${width} ${height}'><p class='ocr_par'>${words.join('')}</p></div>`;
}

describe('A document of one page', function suite() {
  this.timeout(60_000);
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'quire-bands-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Reads a page of 40 lines, or of as many pages, and returns how many pictures were read, and the words. */
  async function read(options: {
    atOnce: number;
    pages?: number;
    renderType?: 'hocr' | 'sandwich';
    fails?: boolean;
    /** Pictures that are read at the same time. */
    together?: number;
  }): Promise<{ pictures: number; words: number; text: string; open: number }> {
    const document = await PDFDocument.create();
    for (let n = 0; n < (options.pages ?? 1); n++) {
      const sheet = document.addPage([500, 700]);
      for (let line = 0; line < 40; line++)
        sheet.drawRectangle({ x: 40, y: 640 - line * 12, width: 420 - (line % 5) * 9, height: 7 });
    }
    const path = join(folder, 'input.pdf');
    writeFileSync(path, await document.save());
    const blank = await PDFDocument.create();
    blank.addPage();
    let [pictures, open] = [0, 0];
    const found = await withPdf({ path }, {}, (opened) =>
      recognizePages(opened, {
        choice: 'withoutText',
        renderType: options.renderType ?? 'hocr',
        deskew: false,
        clean: false,
        cleanFinal: false,
        removeImages: false,
        sidecar: true,
        maxDpi: 300,
        atOnce: options.atOnce,
        folder: mkdtempSync(join(folder, 'run-')),
        signal: new AbortController().signal,
        read: async (picture, files) => {
          const turn = pictures++;
          open++;
          if (options.fails === true && turn === 0) {
            open--;
            throw new Error('cannot be read');
          }
          while (pictures < (options.together ?? 0)) await new Promise((resolve) => setTimeout(resolve, 5));
          await new Promise((resolve) => setTimeout(resolve, 50));
          const bytes = readFileSync(picture);
          const head = /^P5\n(\d+) (\d+)\n255\n/.exec(bytes.toString('latin1', 0, 30));
          const size = { width: Number(head?.[1]), height: Number(head?.[2]) };
          const data = new Uint8Array(bytes.subarray(head?.[0].length));
          writeFileSync(files.words, hocrOf(levels({ ...size, channels: 1, data })));
          if (files.layer !== undefined) writeFileSync(files.layer, await blank.save());
          open--;
        },
      }),
    ).catch((error: unknown) => error as Error);
    if (found instanceof Error) throw Object.assign(found, { open });
    return { pictures, words: found.words, text: found.text, open };
  }

  /** Lines by rows with ink. */
  function levels({ width, height, data }: Samples): ReadPage {
    const lines: ReadPage['paragraphs'][number][number][] = [];
    for (let y = 0, from = -1; y <= height; y++) {
      const inked = y < height && data.subarray(y * width, (y + 1) * width).some((value) => value < 100);
      if (inked && from < 0) from = y;
      if (inked || from < 0) continue;
      const box = [10, from, width - 10, y] as const;
      lines.push({ box, angle: 0, slope: 0, offset: 0, size: y - from, words: [] });
      from = -1;
    }
    return { width, height, paragraphs: [lines] };
  }

  it('is read on all cores, with the same words as on one', async () => {
    const [one, two] = [await read({ atOnce: 1 }), await read({ atOnce: 2 })];
    expect([one.pictures, two.pictures]).to.deep.equal([1, 2]);
    expect([one.words, two.words]).to.deep.equal([40, 40]);
    expect(two.text.split('\n').length, 'one paragraph').to.equal(one.text.split('\n').length);
  });

  it('is read as a whole where its engine writes the layer, and where other pages keep all cores busy', async () => {
    expect((await read({ atOnce: 2, renderType: 'sandwich' })).pictures).to.equal(1);
    expect((await read({ atOnce: 2, pages: 3, together: 3 })).pictures).to.equal(3);
    expect((await read({ atOnce: 4, pages: 2, together: 4 })).pictures, 'two bands of each page').to.equal(4);
  });

  it('fails as a whole when a band does, after the other has come to its end', async () => {
    const error = await read({ atOnce: 2, fails: true }).catch((caught: unknown) => caught as Error & { open: number });
    expect(error).to.include({ message: 'cannot be read', open: 0 });
  });
});
