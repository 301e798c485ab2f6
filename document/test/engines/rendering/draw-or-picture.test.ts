import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PDFDocument } from 'pdf-lib';
import { drawOrPicture } from '../../../engines/rendering/index.js';
import { DocumentError } from '../../../errors.js';

describe('a program that draws a document', () => {
  let folder: string;
  let input: string;
  let copy: string;
  let drawn: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-draw-'));
    [input, copy, drawn] = [join(folder, 'in.pdf'), join(folder, 'images.pdf'), join(folder, 'drawn.pdf')];
    const pdf = await PDFDocument.create();
    for (let i = 0; i < 3; i++) pdf.addPage([100, 100]);
    await writeFile(input, await pdf.save());
  });
  after(() => rm(folder, { recursive: true }));

  const leaveOutAPage = async (path: string): Promise<void> => {
    const pdf = await PDFDocument.load(await readFile(path));
    pdf.removePage(1);
    await writeFile(drawn, await pdf.save());
  };

  it('is not asked again when all pages are there', async () => {
    expect(await drawOrPicture(input, copy, (path) => copyFile(path, drawn), { drawn })).to.equal(undefined);
  });

  it('gets the pages as images when it left out one of them', async () => {
    const asked: string[] = [];
    const draw = (path: string): Promise<void> => {
      asked.push(path);
      return path === input ? leaveOutAPage(path) : copyFile(path, drawn);
    };
    expect(await drawOrPicture(input, copy, draw, { drawn })).to.deep.equal({ reason: 'it found 2 of 3 pages' });
    expect(asked).to.deep.equal([input, copy]);
    expect((await PDFDocument.load(await readFile(drawn))).getPageCount()).to.equal(3);
  });

  it('is no reason to return a document with fewer pages', async () => {
    for (const draw of [leaveOutAPage, () => writeFile(drawn, 'nothing')]) {
      const error = await drawOrPicture(input, copy, draw, { drawn }).catch((refusal: unknown) => refusal);
      expect(error).to.be.instanceOf(DocumentError);
      expect((error as DocumentError).code).to.equal('PDF_DAMAGED');
    }
  });
});
