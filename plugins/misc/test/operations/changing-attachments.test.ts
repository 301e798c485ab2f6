import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type OperationAnswer, readZip } from '@quire/plugin-kit';
import { expect } from 'chai';
import { PDFArray, PDFDict, PDFDocument, PDFName, type PDFRef, PDFString } from 'pdf-lib';
import { everythingIn, qpdfCheck } from '../support/look.js';
import { fixture, text, withFiles, attachmentCalls } from './attachments-support.js';

describe('changing attachments over HTTP', function () {
  this.timeout(60_000);
  const { call, list, extract, problem } = attachmentCalls();

  describe('rename-attachment', () => {
    it('renames everywhere, keeps bytes and metadata, and works on its own output', async () => {
      const first = await call('rename-attachment', await fixture('attached.pdf'), {
        attachmentName: 'note.txt',
        newName: 'Notiz – neu.txt',
      });
      expect([first.status, first.fileName]).to.deep.equal([200, 'attached_attachment_renamed.pdf']);
      expect((await list(first)).map(({ filename, description }) => [filename, description])).to.have.deep.members([
        ['Notiz – neu.txt', 'A note'],
        ['data.json', null],
      ]);
      expect((await extract(first)).get('Notiz – neu.txt')).to.equal('Hello, file!');
      const second = await call(
        'rename-attachment',
        { name: 'x.pdf', bytes: first.bytes },
        { attachmentName: 'Notiz – neu.txt', newName: 'note.txt' },
      );
      expect((await list(second)).map(({ filename }) => filename).sort()).to.deep.equal(['data.json', 'note.txt']);
      expect(await qpdfCheck(second.bytes)).to.equal('');
    });

    it('renames only the first of several with the same name', async () => {
      const file = await fixture('attached.pdf');
      const document = await PDFDocument.load(file.bytes, { updateMetadata: false });
      for (const [, object] of document.context.enumerateIndirectObjects())
        if (object instanceof PDFDict && object.has(PDFName.of('UF')))
          object.set(PDFName.of('UF'), PDFString.of('same.txt'));
      const answer = await call(
        'rename-attachment',
        { name: 'x.pdf', bytes: await document.save() },
        { attachmentName: 'same.txt', newName: 'first.txt' },
      );
      expect((await list(answer)).map(({ filename, size }) => [filename, size])).to.have.deep.members([
        ['first.txt', 12],
        ['same.txt', 8],
      ]);
    });

    it('refuses a used, unknown, blank or missing name, naming the field', async () => {
      const source = await fixture('attached.pdf');
      const pointer = (answer: OperationAnswer): string | undefined =>
        answer.json<{ errors?: { pointer: string }[] }>().errors?.[0]?.pointer;
      for (const [params, code, field] of [
        [{ attachmentName: 'note.txt', newName: 'data.json' }, 'ATTACHMENT_NAME_TAKEN', '/newName'],
        [{ attachmentName: 'Note.txt', newName: 'x' }, 'ATTACHMENT_UNKNOWN', '/attachmentName'],
        [{ attachmentName: '', newName: 'x' }, 'INPUT_INVALID', '/attachmentName'],
        [{ attachmentName: 'note.txt', newName: '  ' }, 'INPUT_INVALID', '/newName'],
        [{ attachmentName: 'note.txt' }, 'INPUT_INVALID', '/newName'],
        [{ attachmentName: 'note.txt', newName: 'a\nb' }, 'INPUT_INVALID', '/newName'],
      ] as const) {
        const answer = await call('rename-attachment', source, params);
        expect([...problem(answer), pointer(answer)], JSON.stringify(params)).to.deep.equal([400, code, field]);
      }
    });
  });

  describe('delete-attachment', () => {
    it('removes the file with every byte of it, and keeps the others', async () => {
      const file = await withFiles([
        ['keep.txt', text('keep canary-one')],
        ['gone.txt', text('gone canary-two')],
      ]);
      const twice = await call('add-attachments', file, {}, [{ name: 'gone.txt', bytes: text('newer canary-three') }]);
      expect(everythingIn(twice.bytes)).to.contain('canary-two');
      const answer = await call(
        'delete-attachment',
        { name: 'report.pdf', bytes: twice.bytes },
        { attachmentName: 'gone.txt' },
      );
      expect([answer.status, answer.fileName]).to.deep.equal([200, 'report_attachment_deleted.pdf']);
      const all = everythingIn(answer.bytes);
      expect([/canary-one/.test(all), /canary-two|canary-three/.test(all), /gone\.txt/.test(all)]).to.deep.equal([
        true,
        false,
        false,
      ]);
      expect((await list(answer)).map(({ filename }) => filename)).to.deep.equal(['keep.txt']);
      expect(await qpdfCheck(answer.bytes)).to.equal('');
    });

    it('removes the annotation and the association of this file', async () => {
      const document = await PDFDocument.load((await withFiles([['a.txt', text('canary a')]])).bytes, {
        updateMetadata: false,
      });
      const { context } = document;
      const names = document.catalog
        .lookup(PDFName.of('Names'), PDFDict)
        .lookup(PDFName.of('EmbeddedFiles'), PDFDict)
        .lookup(PDFName.of('Names'), PDFArray);
      const spec = names.get(1) as PDFRef;
      document.catalog.set(PDFName.of('AF'), context.obj([spec]));
      document
        .getPage(0)
        .node.set(
          PDFName.of('Annots'),
          context.obj([
            context.register(context.obj({ Type: 'Annot', Subtype: 'FileAttachment', Rect: [0, 0, 10, 10], FS: spec })),
            context.register(context.obj({ Type: 'Annot', Subtype: 'Text', Rect: [0, 0, 10, 10] })),
          ]),
        );
      const answer = await call(
        'delete-attachment',
        { name: 'x.pdf', bytes: await document.save() },
        { attachmentName: 'a.txt' },
      );
      const result = await PDFDocument.load(answer.bytes, { updateMetadata: false });
      expect([
        result.catalog.has(PDFName.of('AF')),
        result.getPage(0).node.Annots()?.size(),
        everythingIn(answer.bytes).includes('canary'),
      ]).to.deep.equal([false, 1, false]);
    });

    it('refuses an unknown name, listing the existing ones, and a blank or missing one', async () => {
      const source = await fixture('attached.pdf');
      const unknown = await call('delete-attachment', source, { attachmentName: 'other.txt' });
      expect([...problem(unknown), unknown.json<{ detail: string }>().detail]).to.deep.equal([
        400,
        'ATTACHMENT_UNKNOWN',
        'The PDF has no attachment named "other.txt"; it has "note.txt", "data.json".',
      ]);
      for (const params of [{}, { attachmentName: ' ' }])
        expect(problem(await call('delete-attachment', source, params))).to.deep.equal([400, 'INPUT_INVALID']);
    });
  });

  const corpus = new URL('../../../../../shared/corpus/', import.meta.url);
  describe(`on documents from elsewhere${existsSync(corpus) ? '' : ' (skipped: no ../shared/corpus)'}`, () => {
    it('returns the PDF inside a signed one', async function () {
      const signed = new URL('dss/pades-enveloping-other-pdf.pdf', corpus);
      if (!existsSync(signed)) return this.skip();
      const answer = await call('extract-attachments', {
        name: 's.pdf',
        bytes: new Uint8Array(await readFile(signed)),
      });
      expect([answer.status, readZip(answer.bytes).some(({ name }) => name.endsWith('.pdf'))]).to.deep.equal([
        200,
        true,
      ]);
    });

    for (const name of [
      'pdfbox/testPDFPackage.pdf',
      'pdfbox/testPDF_multiFormatEmbFiles.pdf',
      'pdf.js/attachment.pdf',
    ]) {
      it(`keeps a portfolio or list through adding, renaming and deleting: ${name}`, async function () {
        if (!existsSync(new URL(name, corpus))) return this.skip();
        const source = { name: 'c.pdf', bytes: new Uint8Array(await readFile(new URL(name, corpus))) };
        const before = await extract(source);
        const added = await call('add-attachments', source, {}, [{ name: 'ours.txt', bytes: text('ours') }]);
        const renamed = await call(
          'rename-attachment',
          { name: 'c.pdf', bytes: added.bytes },
          { attachmentName: 'ours.txt', newName: 'renamed.txt' },
        );
        expect([...(await extract(renamed))].sort()).to.deep.equal([...before, ['renamed.txt', 'ours']].sort());
        const [deleted, catalogs] = [
          await call('delete-attachment', { name: 'c.pdf', bytes: renamed.bytes }, { attachmentName: 'renamed.txt' }),
          [] as boolean[],
        ];
        expect([...(await extract(deleted))].sort()).to.deep.equal([...before].sort());
        for (const { bytes } of [source, deleted])
          catalogs.push(
            (await PDFDocument.load(bytes, { updateMetadata: false, ignoreEncryption: true })).catalog.has(
              PDFName.of('Collection'),
            ),
          );
        expect(catalogs[1]).to.equal(catalogs[0]);
      });
    }
  });
});
