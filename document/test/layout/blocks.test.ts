import { expect } from 'chai';
import { rgb } from 'pdf-lib';
import { blockText, type List, type Paragraph } from '../../layout/index.js';
import { broken, draw, layoutOf, sheet, told } from './support.js';

const prose =
  'The weather of the coast is mild in autumn, and the fishermen stay at home when the wind turns north, since ' +
  'nobody wants to lose a boat for a few baskets of herring that sell for next to nothing in the market of the ' +
  'town.';

describe('Blocks of a page', () => {
  it('are paragraphs by distance, indent and short lines, with their hyphens repaired', async () => {
    const { document, plain } = await sheet();
    const page = document.addPage([500, 700]);
    const lines = broken(prose, plain, 11, 380);
    let y = draw(page, lines, plain, { x: 60, y: 640 });
    // Indented first line, no distance.
    y = draw(page, [broken(prose, plain, 11, 360)[0]!], plain, { x: 80, y });
    y = draw(page, broken(prose, plain, 11, 380).slice(1), plain, { x: 60, y });
    draw(
      page,
      [
        'The harbour of the town was known for its light-',
        'house, a well-known building, and for the well-',
        'known inter-',
        'national fair that the mayor opened in the year',
      ],
      plain,
      { x: 60, y: y - 30 },
    );
    const [made] = await layoutOf(await document.save());
    expect(made!.blocks.map(({ kind }) => kind)).to.deep.equal(['paragraph', 'paragraph', 'paragraph']);
    expect(made!.blocks[0]).to.include({ align: 'left', direction: 'ltr' });
    expect((made!.blocks[1] as Paragraph).indent.first).to.be.closeTo(20, 2);
    expect(blockText(made!.blocks[2]!).replaceAll('\n', ' ')).to.match(
      /^The harbour of the town was known for its lighthouse, a well-known building, and for the well-known international fair/,
    );
  });

  it('do not end within a sentence where lines of text that is not justified differ in length', async () => {
    const { document, plain } = await sheet();
    const page = document.addPage([500, 700]);
    const lines = [
      'The weather of the coast is mild in autumn, and nobody fears',
      'the long nights of the winter, when letters that came with',
      'the boats are read again by candlelight, aloud, and not',
      'infrequently with laughter. When the ice melts at last, then',
      'everybody hurries to the harbour, even the doctor and old',
      'Mrs. Featherstonehaugh, who has not left her house since May.',
    ];
    draw(page, lines, plain, { x: 60, y: 640 });
    const [made] = await layoutOf(await document.save());
    expect(made!.blocks.map(blockText)).to.deep.equal([lines.join(' ')]);
  });

  it('are headings of levels by size, and by weight where they are as large as the text', async () => {
    const { document, plain, bold } = await sheet();
    const page = document.addPage([500, 700]);
    page.drawText('Great title', { x: 60, y: 650, size: 24, font: bold });
    page.drawText('A chapter', { x: 60, y: 610, size: 16, font: bold });
    let y = draw(page, broken(prose, plain, 11, 380), plain, { x: 60, y: 580 });
    page.drawText('1.1 A section', { x: 60, y: y - 14, size: 11, font: bold });
    y = draw(page, broken(prose, plain, 11, 380), plain, { x: 60, y: y - 34 });
    const [made] = await layoutOf(await document.save());
    expect(told(made!).map((line) => line.slice(0, 25))).to.deep.equal([
      'heading1: Great title',
      'heading2: A chapter',
      'paragraph: The weather of',
      'heading3: 1.1 A section',
      'paragraph: The weather of',
    ]);
  });

  it('are nested lists with drawn and written markers', async () => {
    const { document, plain } = await sheet();
    const page = document.addPage([500, 700]);
    draw(page, broken(prose, plain, 11, 380), plain, { x: 60, y: 650 });
    const item = (text: string, y: number, x: number, marker?: string): void => {
      if (marker === undefined) page.drawCircle({ x: x + 3, y: y + 3.5, size: 2, color: rgb(0, 0, 0) });
      else page.drawText(marker, { x, y, size: 11, font: plain });
      page.drawText(text, { x: x + 20, y, size: 11, font: plain });
    };
    item('Apples', 550, 70);
    item('Pears', 535, 70);
    item('first sort', 520, 95, 'a)');
    item('second sort', 505, 95, 'b)');
    item('Plums', 490, 70);
    item('Open', 450, 70, '1.');
    item('Close', 435, 70, '2.');
    const [made] = await layoutOf(await document.save());
    const shape = (list: List): unknown => [
      list.style,
      list.start,
      list.items.map(({ blocks }) => blocks.map((block) => (block.kind === 'list' ? shape(block) : blockText(block)))),
    ];
    const lists = made!.blocks.filter((block): block is List => block.kind === 'list');
    expect(lists.map(shape)).to.deep.equal([
      ['bullet', 1, [['Apples'], ['Pears', ['lowerLetter', 1, [['first sort'], ['second sort']]]], ['Plums']]],
      ['decimal', 1, [['Open'], ['Close']]],
    ]);
  });

  it('keep the lines of verse', async () => {
    const { document, plain } = await sheet();
    const page = document.addPage([500, 700]);
    const y = draw(page, broken(prose, plain, 11, 380), plain, { x: 60, y: 650 });
    const verse = [
      'The night was long, the wind was cold,',
      'And nobody was on the road;',
      'The miller slept, the mule was old',
      'And left behind its heavy load.',
    ];
    draw(page, verse, plain, { x: 60, y: y - 30 });
    const [made] = await layoutOf(await document.save());
    expect(made!.blocks.slice(1).map(blockText)).to.deep.equal([verse.join('\n')]);
  });

  it('are code with its indentation', async () => {
    const { document, plain, mono } = await sheet();
    const page = document.addPage([500, 700]);
    const y = draw(page, broken(prose, plain, 11, 380), plain, { x: 60, y: 650 });
    draw(page, ['if (a) {', '  b();', '    c();', '}'], mono, { x: 60, y: y - 20, size: 10 });
    const [made] = await layoutOf(await document.save());
    expect(made!.blocks.map(blockText)[1]).to.equal('if (a) {\n  b();\n    c();\n}');
  });

  it('leave running titles and page numbers apart, and go on over page breaks', async () => {
    const { document, plain } = await sheet();
    const lines = broken(Array.from({ length: 12 }, () => prose).join(' '), plain, 11, 380);
    for (let n = 0; n < 3; n++) {
      const page = document.addPage([500, 700]);
      page.drawText('Annals of the coast', { x: 60, y: 670, size: 9, font: plain });
      page.drawText(`- ${n + 4} -`, { x: 240, y: 30, size: 9, font: plain });
      draw(page, lines.slice(n * 14, n * 14 + 14), plain, { x: 60, y: 620 });
    }
    const pages = await layoutOf(await document.save());
    expect(
      pages.map(({ artefacts }) => artefacts.map(({ kind, runs }) => [kind, runs.map(({ text }) => text).join('')])),
    ).to.deep.equal(
      [4, 5, 6].map((n) => [
        ['header', 'Annals of the coast'],
        ['pageNumber', `- ${n} -`],
      ]),
    );
    expect(pages.flatMap(({ blocks }) => blocks.map(blockText))).to.deep.equal([lines.slice(0, 42).join(' ')]);
    // The continuation is reported.
    const [whole] = pages[0]!.blocks;
    expect(
      whole!.turns?.map(({ page, at }) => [
        page,
        blockText(whole!)
          .slice(at)
          .trim()
          .startsWith(lines[(page - 1) * 14]!),
      ]),
    ).to.deep.equal([
      [2, true],
      [3, true],
    ]);
  });
});
