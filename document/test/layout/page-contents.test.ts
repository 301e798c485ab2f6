import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PDFDocument, rgb, StandardFonts } from 'pdf-lib';
import { type LayoutPage, withLayout } from '../../layout/index.js';

const PAGES = 200;

/** Pages of text in two looks with rulings; every seventh has a field, which is shown by changing the page. */
async function form(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const [plain, bold] = [
    await document.embedFont(StandardFonts.Helvetica),
    await document.embedFont(StandardFonts.HelveticaBold),
  ];
  for (let n = 1; n <= PAGES; n++) {
    const page = document.addPage([300, 300]);
    page.drawText(`Chapter ${n}`, { x: 20, y: 270, size: 18, font: bold });
    for (let line = 0; line < 6; line++)
      page.drawText(`of page ${n} line ${line}`, { x: 20, y: 240 - line * 14, size: 10, font: plain });
    page.drawLine({ start: { x: 20, y: 100 }, end: { x: 280, y: 100 }, color: rgb(1, 0, 0) });
    if (n % 7 !== 0) continue;
    const field = document.getForm().createTextField(`field ${n}`);
    field.setText(`value ${n}`);
    field.addToPage(page, { x: 20, y: 50, width: 200, height: 20 });
  }
  return document.save();
}

describe('Contents of the pages of a long document', function () {
  this.timeout(120_000);
  let folder: string;
  before(async () => (folder = await mkdtemp(join(tmpdir(), 'page-contents-'))));
  after(() => rm(folder, { recursive: true, force: true }));

  async function laidOut(input: Uint8Array | { readonly path: string }, first?: number): Promise<LayoutPage[]> {
    return withLayout(input, first === undefined ? {} : { first }, async (document) => {
      const pages: LayoutPage[] = [];
      for await (const page of document.pages()) pages.push(page);
      return pages;
    });
  }

  it('are the same, read by two threads or by one', async () => {
    const bytes = await form();
    const path = join(folder, 'form.pdf');
    await writeFile(path, bytes);
    const one = await laidOut(bytes);
    expect(await laidOut({ path })).to.deep.equal(one);
    expect(await laidOut({ path }, 150)).to.deep.equal(await laidOut(bytes, 150));
    const text = JSON.stringify(one);
    for (const n of [7, 70, 140]) expect(text).to.include(`value ${n}`);
    expect(one.map(({ number }) => number)).to.deep.equal(Array.from({ length: PAGES }, (_, i) => i + 1));
  });

  it('are read by the first thread alone where the file is gone', async () => {
    const bytes = await form();
    const path = join(folder, 'gone.pdf');
    await writeFile(path, bytes);
    const read = await withLayout({ path }, {}, async (document) => {
      await rm(path);
      const pages: LayoutPage[] = [];
      for await (const page of document.pages()) pages.push(page);
      return pages;
    });
    expect(read).to.deep.equal(await laidOut(bytes));
  });

  it('may be left after some pages', async () => {
    const path = join(folder, 'left.pdf');
    await writeFile(path, await form());
    const numbers = await withLayout({ path }, {}, async (document) => {
      const found: number[] = [];
      for await (const { number } of document.pages()) if (found.push(number) === 3) break;
      return found;
    });
    expect(numbers).to.deep.equal([1, 2, 3]);
  });
});
