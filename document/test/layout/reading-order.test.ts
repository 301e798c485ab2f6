import { existsSync } from 'node:fs';
import { expect } from 'chai';
import { degrees } from 'pdf-lib';
import { blockText } from '../../layout/index.js';
import { broken, draw, layoutOf, sheet, told } from './support.js';

const sentences = (name: string, count: number): string =>
  Array.from(
    { length: count },
    (_, i) => `The ${name} part number ${i + 1} has words that fill the narrow column of this page.`,
  ).join(' ');

describe('The order in which a page is read', () => {
  it('goes column by column below a title that spans them, and on below what spans them again', async () => {
    const { document, plain, bold } = await sheet();
    const page = document.addPage([600, 800]);
    page.drawText('A title over both columns', { x: 60, y: 740, size: 22, font: bold });
    // The columns do not stand on the same lines.
    const left = draw(page, broken(sentences('left', 6), plain, 11, 220), plain, { x: 60, y: 700 });
    draw(page, broken(sentences('right', 6), plain, 11, 220), plain, { x: 320, y: 694 });
    draw(page, broken(`Wide text ends the page. ${sentences('wide', 3)}`, plain, 11, 480), plain, {
      x: 60,
      y: left - 40,
    });
    const [made] = await layoutOf(await document.save());
    expect(told(made!)).to.deep.equal([
      'heading1: A title over both columns',
      `paragraph: ${sentences('left', 6)}`,
      `paragraph: ${sentences('right', 6)}`,
      `paragraph: Wide text ends the page. ${sentences('wide', 3)}`,
    ]);
    expect(made!.columns).to.equal(2);
  });

  it('reads three columns, and rows of short labels and values line by line', async () => {
    const { document, plain } = await sheet();
    const page = document.addPage([600, 800]);
    for (const [i, name] of ['first', 'middle', 'last'].entries())
      draw(page, broken(sentences(name, 4), plain, 10, 150), plain, { x: 50 + i * 175, y: 740, size: 10 });
    for (const [i, [label, value]] of [
      ['Name', 'Ann Example'],
      ['Town', 'Exampleton'],
    ].entries()) {
      page.drawText(label!, { x: 50, y: 400 - i * 14, size: 11, font: plain });
      page.drawText(value!, { x: 150, y: 400 - i * 14, size: 11, font: plain });
    }
    const [made] = await layoutOf(await document.save());
    expect(made!.blocks.slice(0, 3).map(blockText)).to.deep.equal([
      sentences('first', 4),
      sentences('middle', 4),
      sentences('last', 4),
    ]);
    expect(made!.blocks.slice(3).map(blockText).join('\n')).to.equal('Name Ann Example\nTown Exampleton');
  });

  it('is the same on pages that stand turned, by /Rotate or by their text', async () => {
    const { document, plain } = await sheet();
    const turnedPage = document.addPage([600, 800]);
    turnedPage.setRotation(degrees(90));
    const sideways = document.addPage([600, 800]);
    const lines = broken(sentences('turned', 5), plain, 11, 400);
    for (const page of [turnedPage, sideways])
      for (const [i, line] of lines.entries())
        page.drawText(line, { x: 100 + i * 14, y: 100, size: 11, font: plain, rotate: degrees(90) });
    const pages = await layoutOf(await document.save());
    expect(pages.map(({ width, height, blocks }) => [width, height, blocks.map(blockText)])).to.deep.equal([
      [800, 600, [sentences('turned', 5)]],
      [600, 800, [sentences('turned', 5)]],
    ]);
    const { left, top, right, bottom } = pages[1]!.blocks[0]!.box;
    expect([left > 80 && right < 200, top > 250 && bottom < 710]).to.deep.equal([true, true]);
  });

  const corpus = new URL('../../../../shared/corpus/', import.meta.url);
  /** First words of blocks in the order in which people read them, by hand. */
  const truth: Readonly<Record<string, readonly string[]>> = {
    'pdf.js/issue14438.pdf': [
      'Trace-based Just-in-Time',
      'Andreas Gal',
      'Mozilla Corporation',
      'Adobe Corporation',
      'Intel Corporation',
      'University of California',
      'Abstract',
      'Dynamic languages such as JavaScript are',
      'Categories and Subject',
      'General Terms',
      'Keywords',
      '1. Introduction',
      'Dynamic languages such as JavaScript, Python',
      'Compilers for statically',
      'We present a trace-based',
      'Unlike method-based',
      'Each compiled trace',
    ],
    'pdfbox/PDFBOX-4417-001031.pdf': [
      'Improving Generic Drug',
      '1. Why is this initiative',
      'The number of generic drug',
      'Generic drugs often cost',
      'Program',
      'Human Drugs',
      'User Fees',
      '2. How does this initiative support',
      'This initiative supports',
      'The initiative advances Medicare',
      'The initiative advances Medicaid',
      'The initiative supports Pandemic',
    ],
    'pdf.js/issue1350.pdf': [
      'MetroRock',
      'Instructions',
      'Please call',
      'Print voucher',
      'Write your name',
      'Present valid',
      'Instructions for merchant',
      'Details',
      'Limit 1 voucher',
      'For Packages 2 and 3',
      'Before redeeming',
    ],
    'pdfbox/PDFBOX-3062-002207-p1.pdf': [
      'Not To Be Published',
      'IN THE UNITED STATES',
      'DOCTOR JOHN',
      'Plaintiff',
      'CITY OF SIOUX',
      'ORDER REGARDING',
      'By order dated May 1',
    ],
  };
  for (const [name, words] of Object.entries(truth)) {
    it(
      'is that of people in a document that nobody here made: ' +
        `${name}${existsSync(corpus) ? '' : ' (skipped: no ../shared/corpus)'}`,
      async function order() {
        if (!existsSync(new URL(name, corpus))) return this.skip();
        const [page] = await layoutOf(new URL(name, corpus).pathname);
        const text = page!.blocks.map(blockText).join('\n');
        let at = 0;
        for (const start of words) {
          const found = text.indexOf(start, at);
          expect(found, `${start} after ${text.slice(Math.max(0, at - 30), at)}`).to.be.at.least(at);
          at = found + 1;
        }
      },
    );
  }
});
