import { expect } from 'chai';
import { type PDFArray, PDFDocument, PDFName, StandardFonts } from 'pdf-lib';
import { editFile } from '../../../file/open/index.js';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { look } from '../../support.js';

/** Three entries of the tree: a page that inherits its size, the same page again, and one without /Type. */
async function unevenTree(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const [first, second] = [document.addPage([300, 400]), document.addPage([300, 400])];
  const root = document.catalog.Pages();
  root.set(PDFName.of('MediaBox'), first.node.get(PDFName.of('MediaBox'))!);
  for (const page of [first, second]) page.node.delete(PDFName.of('MediaBox'));
  second.node.delete(PDFName.of('Type'));
  (root.get(PDFName.of('Kids')) as PDFArray).insert(1, first.ref);
  return document.save({ useObjectStreams: false });
}

describe('pages of an opened document', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quire-pages-'));
  after(() => rmSync(folder, { recursive: true }));

  for (const mode of ['append', 'rewrite'] as const)
    it(`are all there for pdf-lib, which plugins draw with (${mode})`, async () => {
      const [source, target] = [join(folder, 'in.pdf'), join(folder, `${mode}.pdf`)];
      writeFileSync(source, await unevenTree());
      await editFile(source, target, { mode, modified: new Date(0) }, async ({ document }) => {
        const font = await document.embedFont(StandardFonts.Helvetica);
        for (const [i, page] of document.getPages().entries()) page.drawText(`number ${i}`, { x: 9, y: 9, font });
        await document.flush();
      });
      const result = await look(readFileSync(target));
      expect(result.getPages().map((page) => page.getSize())).to.deep.equal(
        Array.from({ length: 3 }, () => ({ width: 300, height: 400 })),
      );
      expect(new Set(result.getPages().map(({ node }) => String(node.get(PDFName.of('Contents')))))).to.have.property(
        'size',
        3,
      );
    });
});
