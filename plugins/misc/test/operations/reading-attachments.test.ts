import { deflateSync } from 'node:zlib';
import { makePdf, readPdf, readZip } from '@quire/plugin-kit';
import { expect } from 'chai';
import { PDFArray, PDFDict, PDFDocument, PDFHexString, PDFName, PDFRawStream, PDFString } from 'pdf-lib';
import { fixture, text, withFiles, attachmentCalls } from './attachments-support.js';

describe('reading attachments over HTTP', function () {
  this.timeout(60_000);
  const { server, call, list, extract, problem } = attachmentCalls();

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
});
