import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pageTexts } from '../../layout/index.js';
import { expect } from 'chai';
import { PDFDocument, StandardFonts } from 'pdf-lib';

const LINES = 10;
const numberedLine = (page: number, line: number): string => `page ${page} line ${line}`;

/** Creates pages of lines. */
async function written(pages: number, textOf: (page: number, line: number) => string): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (let n = 1; n <= pages; n++) {
    const page = document.addPage([300, 300]);
    page.setFont(font);
    for (let line = 0; line < LINES; line++) page.drawText(textOf(n, line), { x: 20, y: 250 - line * 20 });
  }
  return document.save();
}

const numbered = (pages: number): Promise<Uint8Array> => written(pages, numberedLine);
const textOf = (page: number): string =>
  Array.from({ length: LINES }, (_, line) => `${numberedLine(page, line)}\n`).join('');
const expected = (pages: number): string[] => Array.from({ length: pages }, (_, i) => textOf(i + 1));

describe('pageTexts', function () {
  this.timeout(60_000);
  let folder: string;
  before(async () => (folder = await mkdtemp(join(tmpdir(), 'page-texts-'))));
  after(() => rm(folder, { recursive: true, force: true }));

  const threads = async (): Promise<number> =>
    Number(/^Threads:\s+(\d+)/m.exec(await readFile('/proc/self/status', 'utf8'))?.[1]);

  async function read(pages: number): Promise<{ readonly texts: string[]; readonly progress: number[] }> {
    const path = join(folder, `${pages}.pdf`);
    await writeFile(path, await numbered(pages));
    const [texts, progress]: [string[], number[]] = [[], []];
    await pageTexts({ path }, { progress: (done) => progress.push(done) }, async (some) => void texts.push(...some));
    return { texts, progress };
  }

  for (const pages of [1, 8, 9, 63, 64, 400])
    it(`gives the text of ${pages} pages in order, each once`, async () => {
      const { texts, progress } = await read(pages);
      expect(texts).to.deep.equal(expected(pages));
      expect(progress).to.deep.equal([...progress].sort((a, b) => a - b));
      expect(progress.at(-1)).to.equal(pages);
    });

  it('gives the same from memory, where one thread reads', async () => {
    const texts: string[] = [];
    await pageTexts(await numbered(100), {}, async (some) => void texts.push(...some));
    expect(texts).to.deep.equal(expected(100));
  });

  it('reads on alone where the file is gone before the second thread opens it', async () => {
    const path = join(folder, 'gone.pdf');
    await writeFile(path, await numbered(200));
    const texts: string[] = [];
    const reading = pageTexts({ path }, {}, async (some) => void texts.push(...some));
    await rm(path);
    await reading;
    expect(texts).to.deep.equal(expected(200));
  });

  it('gives pages that PDFium tears apart as one thread does', async () => {
    const bytes = await written(100, (page, line) => (page % 3 === 0 ? 'ab' : numberedLine(page, line)));
    const path = join(folder, 'torn.pdf');
    await writeFile(path, bytes);
    const [two, one]: [string[], string[]] = [[], []];
    await pageTexts({ path }, {}, async (some) => void two.push(...some));
    await pageTexts(bytes, {}, async (some) => void one.push(...some));
    expect(two).to.deep.equal(one);
    expect(two.slice(1, 3)).to.deep.equal([textOf(2), 'ab\n'.repeat(LINES)]);
  });

  it('reads long documents with a second thread, and short ones without', async function () {
    if (availableParallelism() < 2) return this.skip();
    const most = async (pages: number): Promise<number> => {
      const path = join(folder, 'threads.pdf');
      await writeFile(path, await numbered(pages));
      let found = 0;
      await pageTexts({ path }, {}, async () => void (found = Math.max(found, await threads())));
      return found;
    };
    const before = await threads();
    expect(await most(40)).to.equal(before);
    expect(await most(400)).to.be.above(before);
    expect(await threads()).to.equal(before);
  });

  it('ends all its threads when it is cancelled and when its texts cannot be stored', async () => {
    const path = join(folder, 'stopped.pdf');
    await writeFile(path, await numbered(300));
    const before = await threads();
    const abort = new AbortController();
    const cancelled = await pageTexts({ path }, { signal: abort.signal }, async () =>
      abort.abort(new Error('cancelled')),
    ).catch(String);
    const full = await pageTexts({ path }, {}, async () => {
      throw new Error('the disk is full');
    }).catch(String);
    expect([cancelled, full]).to.deep.equal(['Error: cancelled', 'Error: the disk is full']);
    expect(await threads()).to.be.at.most(before);
  });
});
