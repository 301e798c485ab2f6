import { readFileSync, statSync } from 'node:fs';
import { expect } from 'chai';
import { PDFDocument } from 'pdf-lib';
import { inspectPdf, inspectResult } from '@quire/document/file/inspection';
import { closeCachedSources, startSourceCache } from '@quire/document/file/source';
import form from '@quire/plugin-form';
import general from '@quire/plugin-general';
import { fakeContext, fakeFile } from '@quire/plugin-kit';
import misc from '@quire/plugin-misc';
import security from '@quire/plugin-security';
import type { DocumentFile, OutputFile, Plugin } from '@quire/registry';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const comment = { pageIndex: 0, x: 10, y: 10, width: 20, height: 20, text: 'Seen' };

/** A call of each operation that appends: parameters beside the defaults, and other files. */
const calls: readonly (readonly [
  Plugin,
  string,
  params: object,
  parts?: Readonly<Record<string, () => DocumentFile>>,
])[] = [
  [general, 'general/rotate-pdf', { angle: 90 }],
  [general, 'general/crop', { x: 10, y: 10, width: 50, height: 50 }],
  [general, 'general/edit-page-labels', { labels: '[{"pageNumber":1,"style":"romanLower"}]' }],
  [general, 'general/scale-pages', { pageSize: 'A5' }],
  [general, 'general/overlay-pdfs', { overlayMode: 'SequentialOverlay', overlayPosition: 0 }, { overlayFiles: pdf }],
  [misc, 'misc/add-image', { x: 0, y: 0 }, { imageFile: () => fakeFile('a.png', PNG) }],
  [misc, 'misc/add-page-numbers', {}],
  [misc, 'misc/add-stamp', { stampType: 'text', stampText: 'Copy' }],
  [misc, 'misc/add-comments', { comments: JSON.stringify([comment]) }],
  [misc, 'misc/add-attachments', {}, { attachments: () => fakeFile('a.png', PNG) }],
  [misc, 'misc/rename-attachment', { attachmentName: 'note.txt', newName: 'other.txt' }],
  [misc, 'misc/unlock-pdf-forms', {}],
  [misc, 'misc/replace-invert-pdf', { replaceAndInvertOption: 'FULL_INVERSION' }],
  [security, 'security/add-watermark', { watermarkType: 'text', watermarkText: 'Draft' }],
  [form, 'form/fill', { data: '{"name":"Ada"}' }],
];

let source: Uint8Array;
function pdf(): DocumentFile {
  return fakeFile('in.pdf', source);
}

describe('An upload that nobody reads after the call', () => {
  before(async () => {
    const document = await PDFDocument.create();
    const page = document.addPage([200, 200]);
    page.drawText('Hello', { x: 20, y: 100 });
    document.getForm().createTextField('name').addToPage(page, { x: 20, y: 20, width: 100, height: 20 });
    await document.attach(Buffer.from('note'), 'note.txt');
    source = await document.save();
  });
  afterEach(closeCachedSources);

  for (const [plugin, path, given, files = {}] of calls) {
    const run = async (spent: boolean): Promise<{ readonly input: string; readonly output: string }> => {
      const operation = plugin.operations.find((one) => one.path === path);
      if (operation === undefined) throw new Error(`no operation ${path}`);
      const file = pdf();
      startSourceCache(spent ? [file.path()] : []);
      await inspectPdf({ path: file.path() });
      const parts = Object.fromEntries(Object.entries(files).map(([field, make]) => [field, make()]));
      const context = await fakeContext({ writing: 'append', parts });
      const { default: joi } = await import('joi');
      const params: unknown = await operation.params(joi).validateAsync(given);
      const [output] = (await operation.run(file as never, params as never, context)) as [OutputFile];
      return { input: file.path(), output: output.path };
    };

    it(`is continued by the result of ${path}, which can be read as one that was copied`, async () => {
      const { input, output } = await run(true);
      expect(statSync(output).ino).to.equal(statSync(input).ino);
      expect(readFileSync(output).subarray(0, source.length).equals(Buffer.from(source))).to.equal(true);
      expect(await inspectResult({ path: output }, 1)).to.deep.equal({ pages: 1, engine: 'pdfium' });
      closeCachedSources();
      const copied = await run(false);
      expect(readFileSync(copied.input).equals(Buffer.from(source))).to.equal(true);
      expect(statSync(copied.output).size).to.be.within(statSync(output).size - 64, statSync(output).size + 64);
    });
  }
});
