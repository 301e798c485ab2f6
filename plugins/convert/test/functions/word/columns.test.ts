import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readZip } from '@quire/plugin-kit';
import { expect } from 'chai';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { pdfToDocx } from '../../../src/functions/word/pdf-to-docx.js';

const first = [
  'The weather of the coast is mild in',
  'autumn, and the fishermen stay at home',
  'when the wind turns north, since few of',
  'them want to lose a boat for herring.',
];
const second = [
  'Grain was dear in the year of the flood,',
  'and the bakers of the old town closed',
  'their shops one after another until the',
  'mayor sent for help from the islands.',
];

describe('Columns in Word', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-columns-'));
  });
  after(() => rm(folder, { recursive: true }));

  /** The body of the document that a page with these columns becomes, one text per paragraph, and its column counts. */
  async function convert(columns: readonly (readonly string[])[]): Promise<{ texts: string[]; counts: string[] }> {
    const pdf = await PDFDocument.create();
    const font = await pdf.embedFont(StandardFonts.TimesRoman);
    const page = pdf.addPage([595, 842]);
    page.drawText('Two tales', { x: 60, y: 780, size: 20, font });
    for (const [c, lines] of columns.entries())
      for (const [i, line] of lines.entries())
        page.drawText(line, { x: 60 + 250 * c, y: 740 - 15 * i, size: 12, font });
    page.drawText('The end of both tales', { x: 60, y: 560, size: 20, font });
    const [source, target] = [join(folder, 'in.pdf'), join(folder, 'out.docx')];
    await writeFile(source, await pdf.save());
    await pdfToDocx(source, target, { signal: new AbortController().signal, progress: () => undefined });
    const xml = (await readZip(await readFile(target))).find(({ name }) => name === 'word/document.xml')!;
    const body = Buffer.from(xml.bytes).toString('utf8');
    return {
      texts: [...body.matchAll(/<w:p>.*?<\/w:p>/gs)]
        .map(([paragraph]) => paragraph.replace(/<w:br w:type="column"\/>/g, '|').replace(/<[^>]*>/g, ''))
        .filter((text) => text !== ''),
      counts: [...body.matchAll(/<w:sectPr.*?<\/w:sectPr>/gs)].map(
        ([section]) => /w:num="(\d)"/.exec(section)?.[1] ?? '1',
      ),
    };
  }

  it('begin where they began, below a title and above the end of the page', async () => {
    expect(await convert([first, second])).to.deep.equal({
      texts: ['Two tales', first.join(' '), `|${second.join(' ')}`, 'The end of both tales'],
      counts: ['1', '2', '1'],
    });
  });

  it('begin within a paragraph that goes on in the next one', async () => {
    const open = [...first.slice(0, 3), 'them want to lose a boat for all those'];
    const rest = ['baskets of herring that sell for next to', ...second.slice(1)];
    const { texts } = await convert([open, rest]);
    expect(texts).to.deep.equal(['Two tales', `${open.join(' ')}|${rest.join(' ')}`, 'The end of both tales']);
  });
});
