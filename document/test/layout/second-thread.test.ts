import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PDFDocument, PDFName, PDFNumber, StandardFonts } from 'pdf-lib';
import { type PageContent, plainPageText, withPages } from '../../layout/index.js';
import { PageOrder } from '../../layout/threads/page-order.js';
import { SecondThread } from '../../layout/threads/second-thread.js';

const PAGES = 20;
/** Pages whose field is drawn into them when they are read. */
const WITH_FIELD = [3, 11];
const LARGE = 5;
const TORN = 8;

async function document(): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.TimesRoman);
  for (let index = 0; index < PAGES; index++) {
    const page = pdf.addPage([300, 300]);
    page.setFont(font);
    for (let line = 0; line < 10; line++)
      page.drawText(index === TORN ? 'ab' : `page ${index} line ${line}`, { x: 20, y: 250 - line * 20 });
    if (index === LARGE) page.node.set(PDFName.of('UserUnit'), PDFNumber.of(2));
    if (!WITH_FIELD.includes(index)) continue;
    const field = pdf.getForm().createTextField(`field ${index}`);
    field.setText('value');
    field.addToPage(page, { x: 20, y: 10, width: 200, height: 20 });
  }
  return pdf.save();
}

describe('The second thread', function () {
  this.timeout(120_000);
  let folder: string;
  let path: string;
  before(async function () {
    if (availableParallelism() < 2) return this.skip();
    folder = await mkdtemp(join(tmpdir(), 'second-thread-'));
    path = join(folder, 'document.pdf');
    await writeFile(path, await document());
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const program = (name: string): URL => new URL(`../../layout/threads/${name}.ts`, import.meta.url);

  /** All that it reads, where the first thread reads nothing. */
  async function readAlone<T>(name: string, own: object, pages = PAGES, file = path): Promise<(T | undefined)[]> {
    const order = new PageOrder(pages, { perTurn: 3, ahead: 6 });
    const thread = (await SecondThread.start<T>(program(name), file, order, own))!;
    const found: (T | undefined)[] = [];
    while (thread.working || thread.turns.has(found.length)) {
      const turn = thread.turns.get(found.length);
      if (turn === undefined) {
        await thread.news();
        continue;
      }
      found.push(...turn);
      order.used(found.length);
    }
    return found;
  }

  it('reads texts as the first does, and leaves pages that PDFium tears apart to it', async () => {
    const expected = await withPages({ path }, ({ document: opened }) =>
      Array.from({ length: PAGES }, (_, i) => (i === TORN ? undefined : plainPageText(opened, i))),
    );
    expect(await readAlone<string>('text-thread-entry', {})).to.deep.equal(expected);
    expect(expected[4]).to.match(/^page 4 line 0\n/);
  });

  it('reads contents as the first does, and leaves pages that reading changes to it', async () => {
    await withPages({ path }, async ({ reader, units }) => {
      const own = Array.from({ length: PAGES }, (_, i) => reader.read(i));
      const found = await readAlone<PageContent>('content-thread-entry', { units });
      expect(found).to.deep.equal(own.map((content, i) => (WITH_FIELD.includes(i) ? undefined : content)));
      expect(found[LARGE]?.width).to.equal(600);
      // Looks are compared by identity.
      const adopted = reader.adopt(found[4]!);
      expect(adopted.words[0]?.style).to.equal(own[4]?.words[0]?.style);
    });
  });

  it('reads nothing of a document in which it counts other pages, or that it cannot open', async () => {
    expect(await readAlone<string>('text-thread-entry', {}, PAGES + 1)).to.deep.equal([]);
    expect(await readAlone<string>('text-thread-entry', {}, PAGES, join(folder, 'missing.pdf'))).to.deep.equal([]);
  });

  it('does not read far ahead of what is used', async () => {
    const order = new PageOrder(PAGES, { perTurn: 3, ahead: 6 });
    const thread = (await SecondThread.start<string>(program('text-thread-entry'), path, order, {}))!;
    while (thread.turns.size < 3) await thread.news();
    const more = await Promise.race([thread.news().then(() => 'more'), new Promise((r) => setTimeout(r, 300, 'none'))]);
    expect([more, [...thread.turns.keys()]]).to.deep.equal(['none', [0, 3, 6]]);
    await thread.stop();
    expect(thread.working).to.equal(false);
  });
});
