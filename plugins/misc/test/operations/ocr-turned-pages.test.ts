import { createTestServer, type QuireServer } from '@quire/core';
import { withRenderable } from '@quire/document/engines/rendering';
import { callOperation, type OperationAnswer } from '@quire/plugin-kit';
import { expect } from 'chai';
import { degrees, PDFDocument } from 'pdf-lib';
import sharp from 'sharp';
import { HEIGHT, type KnownWord, prose, scanned, typeset, WIDTH } from '../pictures/scanned-text.js';
import { compareWords, wordBoxes } from '../pictures/word-boxes.js';

type Turn = 0 | 90 | 180 | 270;
const TURNS: readonly Turn[] = [0, 90, 180, 270];

/** Scans of a page that lie turned counter-clockwise, without an entry that turns them back. */
async function lyingScans(page: Uint8Array, turns: readonly Turn[]): Promise<Uint8Array> {
  const pdf = await scanned(
    turns.map(() => page),
    turns.map((rotate) => ({ rotate })),
  );
  const document = await PDFDocument.load(pdf);
  for (const each of document.getPages()) each.setRotation(degrees(0));
  return document.save({ useObjectStreams: false });
}

/** Where a word of the page stands when it is turned counter-clockwise. */
function turnedWord({ text, box: [left, top, right, bottom] }: KnownWord, turn: Turn): KnownWord {
  switch (turn) {
    case 90:
      return { text, box: [top, WIDTH - right, bottom, WIDTH - left] };
    case 180:
      return { text, box: [WIDTH - right, HEIGHT - bottom, WIDTH - left, HEIGHT - top] };
    case 270:
      return { text, box: [HEIGHT - bottom, left, HEIGHT - top, right] };
    default:
      return { text, box: [left, top, right, bottom] };
  }
}

const report = (answer: OperationAnswer): Record<string, unknown> =>
  JSON.parse(answer.headers.get('x-tool-report') ?? '{}') as Record<string, unknown>;

describe('misc/ocr-pdf of pages that were scanned sideways or upside down', function suite() {
  this.timeout(240_000);
  let server: QuireServer;
  let url: string;
  before(async () => {
    server = await createTestServer({ plugins: ['@quire/plugin-misc'] });
    url = await server.start();
  });
  after(() => server.stop());

  const recognise = async (bytes: Uint8Array, params: Record<string, unknown> = {}): Promise<OperationAnswer> => {
    const answer = await callOperation(url, {
      path: 'misc/ocr-pdf',
      files: [{ name: 'paper.pdf', bytes }],
      params: { languages: 'eng', ...params },
    });
    expect(answer.status).to.equal(200);
    return answer;
  };

  for (const ocrRenderType of ['hocr', 'sandwich'])
    it(`places the text of a page in two columns over its words, whatever its direction (${ocrRenderType})`, async () => {
      const columns = await typeset([
        ...prose(80, 8).map((line) => ({ ...line, x: 25 })),
        ...prose(300, 8).map((line) => ({ ...line, x: 230 })),
      ]);
      const answer = await recognise(await lyingScans(columns.pdf, TURNS), { ocrRenderType });
      expect(answer.headers.get('x-warnings')).to.equal(null);
      expect(report(answer)).to.include({ read: 4, withText: 4, turned: 0, pictures: 0 });
      expect(report(answer)['readTurned']).to.be.within(1, 3);
      const sizes = (await PDFDocument.load(answer.bytes))
        .getPages()
        .map((page) => [page.getWidth(), page.getRotation().angle]);
      expect(sizes, 'pages as they were').to.deep.equal([
        [WIDTH, 0],
        [HEIGHT, 0],
        [WIDTH, 0],
        [HEIGHT, 0],
      ]);
      for (const [i, turn] of TURNS.entries()) {
        const known = columns.words.map((word) => turnedWord(word, turn));
        const { share, edges, heights } = compareWords(known, wordBoxes(answer.bytes, i + 1));
        expect(share, `words found at ${turn}°`).to.be.at.least(0.9);
        expect(Math.max(edges, heights), `points off at ${turn}°`).to.be.lessThan(3);
      }
    });

  it('reads an upright page once', async () => {
    const page = await typeset(prose(80));
    const answer = await recognise(await lyingScans(page.pdf, [0]));
    expect(report(answer)).not.to.have.property('readTurned');
    const text = await withRenderable(answer.bytes, (document) => document.pageText(0));
    expect(text).to.include('Ships arriving on Monday carried timber,');
  });

  it('names pages that can be read in no direction', async () => {
    const document = await PDFDocument.create();
    const page = await typeset(prose(80));
    const good = await PDFDocument.load(await lyingScans(page.pdf, [0]));
    document.addPage((await document.copyPages(good, [0]))[0]!);
    // Letters of no script.
    const strokes = Array.from({ length: 600 }, (_, i) => {
      const [x, y] = [60 + (i % 30) * 36 + ((i * 7) % 11), 100 + Math.floor(i / 30) * 70];
      return `<path d="M${x} ${y}q${(i * 13) % 23} ${(i * 5) % 31} ${(i * 3) % 17} ${20 + ((i * 11) % 19)}t${(i * 17) % 13} -${(i * 19) % 29}"/>`;
    });
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1170" height="1650"><rect width="1170" height="1650" fill="#fff"/><g fill="none" stroke="#000" stroke-width="4">${strokes.join('')}</g></svg>`;
    const scribbles = await document.embedJpg(await sharp(Buffer.from(svg)).jpeg().toBuffer());
    document.addPage([WIDTH, HEIGHT]).drawImage(scribbles, { x: 0, y: 0, width: WIDTH, height: HEIGHT });
    const answer = await recognise(await document.save());
    expect(decodeURIComponent(answer.headers.get('x-warnings') ?? '')).to.include(
      'The text on page 2 could not be read reliably.',
    );
  });
});
