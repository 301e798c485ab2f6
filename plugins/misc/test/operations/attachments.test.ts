import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { deflateSync } from 'node:zlib';
import { createSecurity, encodePermissions } from '@quire/document/file/encryption';
import { pdfBytes, withPdf } from '@quire/document/file/open';
import {
  callOperation,
  type FormFile,
  makePdf,
  type OperationAnswer,
  readPdf,
  readZip,
  serverForTests,
} from '@quire/plugin-kit';
import { expect } from 'chai';
import { PDFArray, PDFDict, PDFDocument, PDFHexString, PDFName, PDFRawStream, type PDFRef, PDFString } from 'pdf-lib';
import { everythingIn, qpdfCheck } from '../support/look.js';

type Facts = {
  filename: string;
  size: number;
  contentType: string | null;
  description: string | null;
  creationDate: string | null;
  modificationDate: string | null;
};

const fixture = async (name: string): Promise<FormFile> => ({
  name,
  bytes: new Uint8Array(await readFile(new URL(`../../fixtures/${name}`, import.meta.url))),
});
const text = (content: string): Uint8Array => new TextEncoder().encode(content);

/** A PDF of one page with these attachments, written by another library. */
async function withFiles(
  files: readonly (readonly [name: string, content: Uint8Array, options?: Parameters<PDFDocument['attach']>[2]])[],
): Promise<FormFile> {
  const document = await PDFDocument.create({ updateMetadata: false });
  document.addPage([200, 200]);
  for (const [name, content, options] of files) await document.attach(content, name, options);
  return { name: 'report.pdf', bytes: await document.save({ useObjectStreams: false }) };
}

describe('attachments over HTTP', function () {
  this.timeout(60_000);
  const server = serverForTests({ plugins: ['@quire/plugin-misc'] });

  const call = (
    tool: string,
    file: FormFile,
    params: Record<string, unknown> = {},
    attachments?: readonly FormFile[],
  ): Promise<OperationAnswer> =>
    callOperation(server.url, {
      path: `misc/${tool}`,
      files: [file],
      params,
      ...(attachments === undefined ? {} : { parts: { attachments } }),
    });
  const list = async (file: FormFile | OperationAnswer): Promise<Facts[]> =>
    (await call('list-attachments', { name: 'x.pdf', bytes: file.bytes })).json<Facts[]>();
  const extract = async (file: FormFile | OperationAnswer) =>
    new Map(
      readZip((await call('extract-attachments', { name: 'x.pdf', bytes: file.bytes })).bytes).map(
        ({ name, bytes }) => [name, Buffer.from(bytes).toString('latin1')],
      ),
    );
  const problem = (answer: OperationAnswer): unknown[] => [answer.status, answer.code];

  describe('add-attachments', () => {
    it('embeds files with size, type, checksum, dates and description, shows the list, and keeps existing content', async () => {
      const form = new FormData();
      const source = await fixture('attached.pdf');
      form.append('fileInput', new Blob([Uint8Array.from(source.bytes)]), 'report.final.pdf');
      form.append('attachments', new Blob(['a,b\n1,2\n'.repeat(100)], { type: 'text/csv' }), 'Zahlen – März.csv');
      form.append('attachments', new Blob([Uint8Array.of(1, 2, 3)], { type: 'audio/x-odd' }), 'tone');
      const begin = Date.now();
      const response = await fetch(`${server.url}/api/v1/misc/add-attachments`, { method: 'POST', body: form });
      expect(response.headers.get('content-disposition')).to.contain('report.final_with_attachments.pdf');
      const bytes = new Uint8Array(await response.arrayBuffer());
      const facts = await list({ name: 'x.pdf', bytes });
      expect(
        facts.map(({ filename, size, contentType, description }) => [filename, size, contentType, description]),
      ).to.have.deep.members([
        ['note.txt', 12, 'text/plain', 'A note'],
        ['data.json', 8, 'application/json', null],
        ['Zahlen – März.csv', 800, 'text/csv', 'Zahlen – März.csv'],
        ['tone', 3, 'audio/x-odd', 'tone'],
      ]);
      const added = facts.find(({ filename }) => filename === 'tone');
      for (const date of [added?.creationDate, added?.modificationDate])
        expect(Date.parse(date ?? '')).to.be.within(begin - 1000, Date.now());
      const document = await PDFDocument.load(bytes, { updateMetadata: false });
      expect(document.catalog.get(PDFName.of('PageMode'))?.toString()).to.equal('/UseAttachments');
      const sums = document.context
        .enumerateIndirectObjects()
        .flatMap(([, object]) =>
          object instanceof PDFRawStream && object.dict.lookup(PDFName.of('Type')) === PDFName.of('EmbeddedFile')
            ? [
                object.dict
                  .lookup(PDFName.of('Params'), PDFDict)
                  .lookup(PDFName.of('CheckSum'))
                  ?.toString()
                  .toLowerCase(),
              ]
            : [],
        );
      expect(sums).to.include(`<${createHash('md5').update('a,b\n1,2\n'.repeat(100)).digest('hex')}>`);
      expect(await qpdfCheck(bytes)).to.equal('');
      expect(Object.fromEntries(await extract({ name: 'x.pdf', bytes }))).to.deep.equal({
        'note.txt': 'Hello, file!',
        'data.json': '{"a":1}\n',
        'Zahlen – März.csv': 'a,b\n1,2\n'.repeat(100),
        tone: '\x01\x02\x03',
      });
    });

    it('replaces an attachment of the same name, and numbers the second of two files with one name', async () => {
      const answer = await call('add-attachments', await fixture('attached.pdf'), {}, [
        { name: 'note.txt', bytes: text('new') },
        { name: 'image.png', bytes: text('one') },
        { name: 'image.png', bytes: text('two') },
      ]);
      expect(JSON.parse(answer.headers.get('x-tool-report') ?? '')).to.deep.equal({
        attached: 3,
        replaced: 1,
        withdrawn: false,
      });
      expect(Object.fromEntries(await extract(answer))).to.deep.equal({
        'note.txt': 'new',
        'data.json': '{"a":1}\n',
        'image.png': 'one',
        'image_1.png': 'two',
      });
    });

    it('appends, so that the bytes of the input stay', async () => {
      const source = await fixture('attached.pdf');
      const answer = await call('add-attachments', source, {}, [{ name: 'a.txt', bytes: text('a') }]);
      expect(Buffer.from(answer.bytes).subarray(0, source.bytes.length).equals(Buffer.from(source.bytes))).to.equal(
        true,
      );
    });

    it('embeds data that compresses like a bomb without compression, and reads it back', async () => {
      const zeros = new Uint8Array(20 * 1024 * 1024);
      const answer = await call('add-attachments', await withFiles([]), {}, [{ name: 'zeros.bin', bytes: zeros }]);
      expect(answer.bytes.length).to.be.greaterThan(zeros.length);
      expect((await extract(answer)).get('zeros.bin')?.length).to.equal(zeros.length);
    });

    it('accepts encrypted documents with an empty password and keeps them encrypted', async () => {
      const locked = withPdf((await withFiles([])).bytes, {}, (opened) =>
        pdfBytes(opened, {
          security: createSecurity({
            context: opened.document.context,
            scheme: 'AES-256',
            userPassword: '',
            ownerPassword: 'x',
            permissions: encodePermissions({}),
          }),
        }),
      );
      const answer = await call('add-attachments', { name: 'l.pdf', bytes: await locked }, {}, [
        { name: 'a.txt', bytes: text('secret canary '.repeat(40)) },
      ]);
      expect(answer.status).to.equal(200);
      expect(Buffer.from(answer.bytes).includes('/Encrypt')).to.equal(true);
      expect(Object.fromEntries(await extract(answer))).to.deep.equal({ 'a.txt': 'secret canary '.repeat(40) });
    });

    it('refuses a call without files, with an empty one, and documents that are not PDFs', async () => {
      const source = await fixture('attached.pdf');
      const missing = await call('add-attachments', source);
      expect([...problem(missing), missing.json<{ errors: { pointer: string }[] }>().errors[0]?.pointer]).to.deep.equal(
        [400, 'INPUT_INVALID', '/attachments'],
      );
      expect(
        problem(await call('add-attachments', source, {}, [{ name: 'empty.txt', bytes: new Uint8Array() }])),
      ).to.deep.equal([400, 'INPUT_FILE_EMPTY']);
      expect(
        problem(
          await call('add-attachments', { name: 'x.pdf', bytes: text('%PDF-1.7\n') }, {}, [
            { name: 'a', bytes: text('a') },
          ]),
        ),
      ).to.deep.equal([400, 'PDF_DAMAGED']);
      expect(
        problem(
          await call('add-attachments', source, { convertToPdfA3b: 'perhaps' }, [{ name: 'a', bytes: text('a') }]),
        ),
      ).to.deep.equal([400, 'INPUT_INVALID']);
    });

    it('refuses a file above 50 MB, naming it', async () => {
      const answer = await call('add-attachments', await withFiles([]), {}, [
        { name: 'a.txt', bytes: text('a') },
        { name: 'large.bin', bytes: new Uint8Array(50 * 1024 ** 2 + 1) },
      ]);
      expect(problem(answer)).to.deep.equal([413, 'ATTACHMENT_TOO_LARGE']);
      expect(answer.json<{ detail: string }>().detail).to.contain('large.bin');
    });

    it('removes the declaration of a part of PDF/A that forbids such files', async () => {
      const document = await PDFDocument.load((await withFiles([])).bytes, { updateMetadata: false });
      const claim = (part: number): string =>
        `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" pdfaid:part="${part}" pdfaid:conformance="B"/></rdf:RDF></x:xmpmeta>`;
      for (const [part, keeps] of [
        [2, false],
        [3, true],
      ] as const) {
        document.catalog.set(
          PDFName.of('Metadata'),
          document.context.register(document.context.stream(claim(part), { Type: 'Metadata', Subtype: 'XML' })),
        );
        const answer = await call('add-attachments', { name: 'a.pdf', bytes: await document.save() }, {}, [
          { name: 'a.txt', bytes: text('a') },
        ]);
        const result = await PDFDocument.load(answer.bytes, { updateMetadata: false });
        const metadata = result.catalog.lookup(PDFName.of('Metadata'));
        expect(
          metadata instanceof PDFRawStream && Buffer.from(metadata.contents).includes('pdfaid:part'),
          `part ${part}`,
        ).to.equal(keeps);
        expect(result.catalog.has(PDFName.of('AF')), `part ${part}`).to.equal(keeps);
        expect(JSON.parse(answer.headers.get('x-tool-report') ?? '')).to.include({ withdrawn: !keeps });
      }
    });
  });

  describe('list-attachments', () => {
    it('returns every member, null for missing values, from nested trees, and an empty list', async () => {
      expect(await list(await fixture('attached.pdf'))).to.deep.equal([
        {
          filename: 'note.txt',
          size: 12,
          contentType: 'text/plain',
          description: 'A note',
          creationDate: '2024-02-29T12:00:00Z',
          modificationDate: null,
        },
        {
          filename: 'data.json',
          size: 8,
          contentType: 'application/json',
          description: null,
          creationDate: null,
          modificationDate: '2023-01-02T03:04:05+02:00',
        },
      ]);
      expect(await list(await fixture('picture.pdf'))).to.deep.equal([]);
    });

    it('names a file by its Unicode name, another name, or its key; an invalid size is -1', async () => {
      const document = await PDFDocument.create({ updateMetadata: false });
      document.addPage([10, 10]);
      const { context } = document;
      const stream = (parameters: object) =>
        context.register(context.stream('x', { Type: 'EmbeddedFile', ...parameters }));
      const spec = (entries: Record<string, unknown>, parameters = {}) =>
        context.obj({ Type: 'Filespec', EF: { F: stream(parameters) }, ...entries } as never);
      const names = [
        'a',
        spec({ UF: PDFHexString.fromText('日本.txt'), F: PDFString.of('nihon.txt') }),
        'b',
        spec({ F: PDFString.of('f.txt') }, { Params: { Size: -5 } }),
        'c',
        spec({ DOS: PDFString.of('DOS.TXT') }),
        PDFHexString.fromText('Schlüssel').asString(),
        spec({}, { Params: { Size: 1 } }),
        'nothing',
        PDFString.of('no dictionary'),
        'outside',
        context.obj({ F: PDFString.of('elsewhere.txt') }),
      ];
      document.catalog.set(
        PDFName.of('Names'),
        context.obj({
          EmbeddedFiles: {
            Names: names.map((each, i) =>
              i % 2 === 0
                ? /^FEFF/i.test(String(each))
                  ? PDFHexString.of(String(each))
                  : PDFString.of(String(each))
                : each,
            ),
          },
        } as never),
      );
      const facts = await list({ name: 'x.pdf', bytes: await document.save() });
      expect(facts.map(({ filename, size }) => [filename, size])).to.deep.equal([
        ['日本.txt', -1],
        ['f.txt', -1],
        ['DOS.TXT', -1],
        ['Schlüssel', 1],
      ]);
    });

    it('handles a tree that contains itself', async () => {
      const document = await PDFDocument.load((await fixture('attached.pdf')).bytes, { updateMetadata: false });
      const tree = document.catalog.lookup(PDFName.of('Names'), PDFDict).lookup(PDFName.of('EmbeddedFiles'), PDFDict);
      const ref = document.context.register(tree);
      document.catalog.lookup(PDFName.of('Names'), PDFDict).set(PDFName.of('EmbeddedFiles'), ref);
      tree.lookup(PDFName.of('Kids'), PDFArray).push(ref);
      const file = { name: 'x.pdf', bytes: await document.save() };
      expect((await list(file)).map(({ filename }) => filename)).to.deep.equal(['note.txt', 'data.json']);
      expect(problem(await call('delete-attachment', file, { attachmentName: 'note.txt' }))).to.deep.equal([
        200,
        undefined,
      ]);
    });
  });

  describe('extract-attachments', () => {
    it('returns a zip even for one file, with names, bytes and times of the attachments', async () => {
      const answer = await call(
        'extract-attachments',
        await withFiles([['only.txt', text('content'), { modificationDate: new Date('2020-03-04T05:06:08Z') }]]),
      );
      expect([answer.status, answer.fileName, answer.headers.get('content-type')]).to.deep.equal([
        200,
        'report_attachments.zip',
        'application/octet-stream',
      ]);
      const [only] = readZip(answer.bytes);
      expect([only?.name, Buffer.from(only?.bytes ?? []).toString()]).to.deep.equal(['only.txt', 'content']);
      // Info-ZIP extended timestamp of the entry (APPNOTE 4.5.3, 0x5455).
      const zip = Buffer.from(answer.bytes);
      const field = zip.indexOf(Buffer.from([0x55, 0x54]), zip.indexOf('only.txt'));
      expect(new Date(zip.readUInt32LE(field + 5) * 1000).toISOString()).to.equal('2020-03-04T05:06:08.000Z');
    });

    it('removes folders, numbers clashing names before the extension, and names files without a name', async () => {
      const document = await PDFDocument.create({ updateMetadata: false });
      document.addPage([10, 10]);
      const { context } = document;
      const spec = (name: string, content: string) =>
        context.obj({ UF: PDFHexString.fromText(name), EF: { F: context.register(context.stream(content)) } });
      const raw = [
        ['../../etc/passwd', '1'],
        ['C:\\temp\\passwd', '2'],
        ['a.TXT', '3'],
        ['dir/A.txt', '4'],
        ['..', '5'],
        ['x\u0007y.txt', '6'],
      ];
      document.catalog.set(
        PDFName.of('Names'),
        context.obj({
          EmbeddedFiles: {
            Names: raw.flatMap(([name = '', content = ''], i) => [PDFString.of(`${i}`), spec(name, content)]),
          },
        }),
      );
      const entries = [...(await extract({ name: 'x.pdf', bytes: await document.save() }))];
      expect(
        entries.map(([name, content]) => `${name} ${content}`).map((each) => each.replace(/_\d{13}/, '_<millis>')),
      ).to.deep.equal(['passwd 1', 'passwd_1 2', 'a.TXT 3', 'A_1.txt 4', 'unknown_attachment_<millis> 5', 'xy.txt 6']);
    });

    it('skips bombs and broken data, reports them, and returns the rest', async () => {
      const document = await PDFDocument.load((await fixture('attached.pdf')).bytes, { updateMetadata: false });
      const { context } = document;
      const stream = (bytes: Uint8Array, filter: string) =>
        context.register(PDFRawStream.of(context.obj({ Type: 'EmbeddedFile', Filter: filter }), bytes));
      const bomb = deflateSync(Buffer.alloc(60 * 1024 * 1024));
      const specs = [
        ['bomb', stream(bomb, 'FlateDecode')],
        ['odd', stream(text('x'), 'NoSuchDecode')],
        [
          'twice',
          context.register(
            PDFRawStream.of(
              context.obj({ Filter: ['ASCIIHexDecode', 'FlateDecode'] }),
              Buffer.from(deflateSync('packed twice').toString('hex')),
            ),
          ),
        ],
      ] as const;
      const kids = document.catalog
        .lookup(PDFName.of('Names'), PDFDict)
        .lookup(PDFName.of('EmbeddedFiles'), PDFDict)
        .lookup(PDFName.of('Kids'), PDFArray);
      kids.push(
        context.register(
          context.obj({
            Names: specs.flatMap(([name, ref]) => [
              PDFString.of(name),
              context.obj({ F: PDFString.of(name), EF: { F: ref } }),
            ]),
          }),
        ),
      );
      const answer = await call('extract-attachments', { name: 'x.pdf', bytes: await document.save() });
      expect(readZip(answer.bytes).map(({ name, bytes }) => `${name} ${Buffer.from(bytes)}`)).to.deep.equal([
        'note.txt Hello, file!',
        'data.json {"a":1}\n',
        'twice packed twice',
      ]);
      expect(JSON.parse(answer.headers.get('x-tool-report') ?? '')).to.deep.equal({
        extracted: 3,
        skipped: 2,
        skippedNames: 'bomb, odd',
      });
    });

    it('returns the same zip from a job as from the call, and its files one by one', async () => {
      const direct = await call('extract-attachments', await fixture('attached.pdf'));
      const { jobId } = (await call('extract-attachments', await fixture('attached.pdf'), { async: true })).json<{
        jobId: string;
      }>();
      const job = `${server.url}/api/v1/general/job/${jobId}`;
      for (
        let tries = 0;
        tries < 500 && !((await (await fetch(job)).json()) as { complete: boolean }).complete;
        tries++
      )
        await new Promise((resolve) => setTimeout(resolve, 50));
      const result = await fetch(`${job}/result`);
      expect(Buffer.from(await result.arrayBuffer()).equals(Buffer.from(direct.bytes))).to.equal(true);
      expect(result.headers.get('content-disposition')).to.contain('attached_attachments.zip');
      expect(JSON.stringify(await (await fetch(`${job}/result/files`)).json()))
        .to.contain('"note.txt"')
        .and.to.contain('"data.json"');
    });

    it('refuses a document without attachments, and one of which none can be unpacked', async () => {
      expect(problem(await call('extract-attachments', await fixture('picture.pdf')))).to.deep.equal([
        400,
        'ATTACHMENTS_NONE',
      ]);
    });

    it('returns broken attached PDFs unchanged, and passes PDFs to the next step of a pipeline', async () => {
      const file = await withFiles([
        ['broken.pdf', text('%PDF-1.7 nothing')],
        ['good.pdf', await makePdf({ pages: 2, text: ['a', 'b'] })],
        ['note.txt', text('n')],
      ]);
      expect([...(await extract(file)).keys()].sort()).to.deep.equal(['broken.pdf', 'good.pdf', 'note.txt']);
      const good = await withFiles([
        ['good.pdf', await makePdf({ pages: 2, text: ['a', 'b'] })],
        ['note.txt', text('n')],
      ]);
      const form = new FormData();
      form.append('fileInput', new Blob([Uint8Array.from(good.bytes)]), 'report.pdf');
      form.append(
        'json',
        JSON.stringify({
          name: 'x',
          pipeline: [
            { operation: '/api/v1/misc/extract-attachments', parameters: {} },
            { operation: '/api/v1/misc/compress-pdf', parameters: { optimizeLevel: 1 } },
          ],
        }),
      );
      const response = await fetch(`${server.url}/api/v1/pipeline/handleData`, { method: 'POST', body: form });
      expect(response.status).to.equal(200);
      expect((await readPdf(new Uint8Array(await response.arrayBuffer()))).pages).to.equal(2);
    });
  });

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
      expect(await everythingIn(twice.bytes)).to.contain('canary-two');
      const answer = await call(
        'delete-attachment',
        { name: 'report.pdf', bytes: twice.bytes },
        { attachmentName: 'gone.txt' },
      );
      expect([answer.status, answer.fileName]).to.deep.equal([200, 'report_attachment_deleted.pdf']);
      const all = await everythingIn(answer.bytes);
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
        (await everythingIn(answer.bytes)).includes('canary'),
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
