import { readFile, writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { PDFDocument, PDFName, PDFRef } from 'pdf-lib';
import { fakeContext, fakeFile } from '@quire/plugin-kit';
import { tokens, type RebuildPdf } from '@quire/registry';
import { OperationalError } from '@quire/registry/errors';
import { repair } from '../../src/operations/repair.op.js';

describe('repair', () => {
  it('repairs a broken cross-reference table, keeps the form, and names the engine', async () => {
    const context = await fakeContext();
    try {
      if (repair.files !== 'each') throw new Error('one file at a time');
      const bytes = await readFile(new URL('../../fixtures/broken-table.pdf', import.meta.url));
      const result = await repair.run(fakeFile('broken-table.pdf', bytes), {}, context);
      if ('json' in result || result[0] === undefined) throw new Error('it gives one file');
      const pdf = await PDFDocument.load(await context.read(result[0]));
      expect([pdf.getPageCount(), pdf.getForm().getTextField('name').getText()]).to.deep.equal([2, 'Ada']);
      expect(context.reports).to.have.all.keys('engine', 'warnings').and.include({ engine: 'quire' });
      expect(context.reports['warnings']).to.contain('cross-reference');
    } finally {
      await context.cleanup();
    }
  });

  it('warns of content that is lost', async () => {
    const context = await fakeContext();
    try {
      if (repair.files !== 'each') throw new Error('one file at a time');
      const pdf = await PDFDocument.create();
      // Content that the file does not have.
      pdf.addPage().node.set(PDFName.of('Contents'), PDFRef.of(999));
      await repair.run(fakeFile('blank.pdf', Buffer.from(await pdf.save())), {}, context);
      expect(context.warnings.join()).to.contain('The content of page 1 of 1 is missing or damaged.');
    } finally {
      await context.cleanup();
    }
  });

  it('uses the installed programs if nothing else helps, and reports both', async () => {
    const good = await readFile(new URL('../../fixtures/picture.pdf', import.meta.url));
    const asked: string[] = [];
    const rebuilder: RebuildPdf = {
      available: async () => ['first', 'second'],
      rebuild: async (program, input, output) => {
        asked.push(`${program} ${await readFile(input, 'latin1')}`);
        if (program === 'first')
          throw new OperationalError('PROGRAM_FAILED', { program, detail: 'it ended with code 2' });
        await writeFile(output, good);
      },
    };
    const context = await fakeContext({ services: [[tokens.rebuildPdf, rebuilder]] });
    try {
      if (repair.files !== 'each') throw new Error('one file at a time');
      const result = await repair.run(
        fakeFile('hopeless.pdf', Buffer.from('%PDF-1.7\n1 0 obj\n(x)\nendobj\n')),
        {},
        context,
      );
      if ('json' in result || result[0] === undefined) throw new Error('it gives one file');
      expect(Buffer.from(await context.read(result[0])).equals(good)).to.equal(true);
      expect(asked).to.deep.equal([
        'first %PDF-1.7\n1 0 obj\n(x)\nendobj\n',
        'second %PDF-1.7\n1 0 obj\n(x)\nendobj\n',
      ]);
      expect(context.reports['engine']).to.equal('second');
      expect(context.reports['passedOver']).to.contain('first: it ended with code 2');
    } finally {
      await context.cleanup();
    }
  });
});
