import { expect } from 'chai';
import type { PDFFont } from 'pdf-lib';
import type { Artefact } from '../../layout/index.js';
import { broken, draw, layoutOf, type Sheet, sheet, told } from './support.js';

const prose =
  'The weather of the coast is mild in autumn, and the fishermen stay at home when the wind turns north, since ' +
  'nobody wants to lose a boat for a few baskets of herring that sell for next to nothing in the market of the town.';
const stories = [
  'Grain was dear in the year of the flood, and the bakers of the old town closed their shops one after another.',
  'Letters took eleven days to reach the island, so that nobody knew of the war until it had been over for a week.',
  'Snow fell early, and the passes were closed before the last of the mules had come down with salt and copper.',
  'Music was heard from the tower each evening, although nobody had seen the musician since the end of the summer.',
];

/** An edge line on each page, over other text on each. */
interface Edge {
  readonly y: number;
  readonly size?: number;
  readonly font?: (fonts: Sheet) => PDFFont;
}

/** Pages with a line at an edge, and the artefacts and blocks that they become. */
async function read(
  lines: readonly string[],
  { y, size = 9, font = ({ plain }) => plain }: Edge,
): Promise<{ readonly artefacts: string[]; readonly blocks: string[] }> {
  const fonts = await sheet();
  for (const [i, line] of lines.entries()) {
    const page = fonts.document.addPage([500, 700]);
    page.drawText(line, { x: 60, y, size, font: font(fonts) });
    draw(page, broken(`${stories[i % 4]} ${stories[(i + 1) % 4]}`, fonts.plain, 11, 380), fonts.plain, {
      x: 60,
      y: 560,
    });
  }
  const pages = await layoutOf(await fonts.document.save());
  const shown = ({ kind, runs }: Artefact): string => `${kind}: ${runs.map(({ text }) => text).join('')}`;
  return { artefacts: pages.flatMap(({ artefacts }) => artefacts.map(shown)), blocks: pages.flatMap(told) };
}

const bold = ({ bold: font }: Sheet): PDFFont => font;
const totals = ['Total: 1200 EUR', 'Total: 88 EUR', 'Total: 15 EUR'];

describe('Running titles and page numbers', () => {
  for (const [what, lines, edge] of [
    ['large totals', totals, { y: 645, size: 20, font: bold }],
    ['totals at the foot', totals, { y: 40, size: 11 }],
    ['amounts with cents that rise by one', ['Due: 7.01', 'Due: 7.02', 'Due: 7.03'], { y: 40, size: 9 }],
    ['amounts of two pages', ['Amount due: 1200.50', 'Amount due: 88.00'], { y: 40, size: 11, font: bold }],
    ['numbers of invoices', ['Invoice 2026-0417', 'Invoice 2026-0933'], { y: 645, size: 20, font: bold }],
    ['titles of chapters', ['Chapter 1', 'Chapter 2', 'Chapter 3'], { y: 645, size: 20, font: bold }],
    ['bold titles with rising numbers', ['Invoice 4711', 'Invoice 4712'], { y: 645, size: 11, font: bold }],
    ['the same large title', ['Certificate', 'Certificate', 'Certificate'], { y: 645, size: 20 }],
    ['bare numbers that count nothing', ['1200', '88', '15'], { y: 40, size: 11 }],
  ] as const)
    it(`are not ${what}`, async () => {
      const { artefacts, blocks } = await read(lines, edge);
      expect(artefacts).to.deep.equal([]);
      for (const line of lines) expect(blocks.join('\n')).to.include(line);
    });

  for (const [what, lines, kind] of [
    ['the same title on each page', ['Annals of the coast', 'Annals of the coast', 'Annals of the coast'], 'header'],
    ['a title before the page number', ['Annals 17', 'Annals 18', 'Annals 19'], 'header'],
    ['a title after the page number', ['9 | Annals 1911', '10 | Annals 1911', '11 | Annals 1911'], 'header'],
    ['numbered pages of a whole', ['Page 3 of 12', 'Page 4 of 12', 'Page 1 of 2'], 'pageNumber'],
    ['numbers with an offset', ['- 7 -', '- 8 -', '- 9 -'], 'pageNumber'],
    ['Roman numbers', ['viii', 'ix', 'x', 'xi'], 'pageNumber'],
  ] as const)
    it(`are ${what}`, async () => {
      const { artefacts, blocks } = await read(lines, { y: 660 });
      expect(artefacts).to.deep.equal(lines.map((line) => `${kind}: ${line}`));
      expect(blocks.some((block) => lines.some((line) => block.includes(line)))).to.equal(false);
    });

  it('are numbers of pages among large footers, and numbers that are those of their page', async () => {
    const footers = ['Notes on herring 1', 'Notes on herring 2', 'Notes on herring 3'];
    expect((await read(footers, { y: 40, size: 15, font: bold })).artefacts).to.deep.equal(
      footers.map((line) => `footer: ${line}`),
    );
    expect((await read(['A preface', 'ii', '3'], { y: 40 })).artefacts).to.deep.equal([
      'pageNumber: ii',
      'pageNumber: 3',
    ]);
  });

  it('are not the first lines of paragraphs that are the same on two pages', async () => {
    const { document, plain } = await sheet();
    const lines = broken(prose, plain, 11, 380);
    for (const story of stories.slice(0, 2)) {
      const page = document.addPage([500, 700]);
      draw(page, [...lines, ...broken(`${story} ${story}`, plain, 11, 380)], plain, { x: 60, y: 650 });
    }
    const pages = await layoutOf(await document.save());
    expect(pages.flatMap(({ artefacts }) => artefacts)).to.deep.equal([]);
    expect(
      pages
        .flatMap(told)
        .join(' ')
        .match(/The weather of the coast/g),
    ).to.have.length(2);
  });
});
