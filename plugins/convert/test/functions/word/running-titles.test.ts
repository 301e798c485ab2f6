import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readZip } from '@quire/plugin-kit';
import { expect } from 'chai';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { pdfToDocx } from '../../../src/functions/word/pdf-to-docx.js';

const stories = [
  'Grain was dear in the year of the flood, and the bakers of the old town closed.',
  'Letters took eleven days to reach the island, so that nobody knew of the war.',
  'Snow fell early, and the passes were closed before the mules had come down.',
];

describe('Running titles in Word', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-titles-'));
  });
  after(() => rm(folder, { recursive: true }));

  /** The text of the parts of the document that pages with these lines at the top become; # is the page's number. */
  async function convert(lines: readonly string[]): Promise<{ header: string; body: string; start: string }> {
    const pdf = await PDFDocument.create();
    const font = await pdf.embedFont(StandardFonts.TimesRoman);
    for (const [i, line] of lines.entries()) {
      const page = pdf.addPage([595, 842]);
      page.drawText(line, { x: 60, y: 790, size: 10, font });
      for (let y = 700; y > 500; y -= 15) page.drawText(stories[i % 3]!, { x: 60, y, size: 12, font });
    }
    const [source, target] = [join(folder, 'in.pdf'), join(folder, 'out.docx')];
    await writeFile(source, await pdf.save());
    await pdfToDocx(source, target, { signal: new AbortController().signal, progress: () => undefined });
    const parts = new Map(
      (await readZip(await readFile(target))).map(({ name, bytes }) => [name, Buffer.from(bytes).toString('utf8')]),
    );
    const text = (xml = ''): string =>
      xml
        .replace(/<w:instrText[^>]*>PAGE<\/w:instrText>/g, '#')
        .replace(/<[^>]*>/g, '')
        .trim();
    const body = parts.get('word/document.xml')!;
    return {
      header: text(parts.get('word/header1.xml')),
      body: text(body),
      start: /<w:pgNumType[^>]*w:start="(\d+)"/.exec(body)?.[1] ?? '1',
    };
  }

  it('show the number of each page, counted from that of the first', async () => {
    const { header, body, start } = await convert(['Annals 17', 'Annals 18', 'Annals 19']);
    expect([header, start]).to.deep.equal(['Annals #', '17']);
    expect(body).not.to.include('Annals');
  });

  it('are not amounts that differ from page to page', async () => {
    const totals = ['Total: 1200 EUR', 'Total: 88 EUR', 'Total: 15 EUR'];
    const { header, body, start } = await convert(totals);
    expect([header, start]).to.deep.equal(['', '1']);
    for (const total of totals) expect(body).to.include(total);
  });
});
