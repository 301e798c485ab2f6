import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { PDFDocument } from 'pdf-lib';
import { fakeContext, fakeFile } from '@quire/plugin-kit';
import { repair } from '../../src/operations/repair.op.js';

describe('repair', () => {
  it('mends a broken table, keeps the form, and names the engine', async () => {
    const context = await fakeContext();
    try {
      if (repair.files !== 'each') throw new Error('one file at a time');
      const bytes = await readFile(new URL('../../fixtures/broken-table.pdf', import.meta.url));
      const result = await repair.run(fakeFile('broken-table.pdf', bytes), {}, context);
      if ('json' in result || result[0] === undefined) throw new Error('it gives one file');
      const pdf = await PDFDocument.load(await context.read(result[0]));
      expect([pdf.getPageCount(), pdf.getForm().getTextField('name').getText()]).to.deep.equal([2, 'Ada']);
      expect(context.reports).to.have.property('engine');
    } finally {
      await context.cleanup();
    }
  });
});
