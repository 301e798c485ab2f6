import { createHash } from 'node:crypto';
import { createSecurity, encodePermissions } from '@quire/document/file/encryption';
import { pdfBytes, withPdf } from '@quire/document/file/open';
import { expect } from 'chai';
import { PDFDict, PDFDocument, PDFName, PDFRawStream } from 'pdf-lib';
import { qpdfCheck } from '../support/look.js';
import { fixture, text, withFiles, attachmentCalls } from './attachments-support.js';

describe('add-attachments over HTTP', function () {
  this.timeout(60_000);
  const { server, call, list, extract, problem } = attachmentCalls();

  describe('add-attachments', () => {
    it('embeds files with size, type, checksum, dates and description, and keeps existing ones', async () => {
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
        '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
        `<rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" pdfaid:part="${part}" ` +
        'pdfaid:conformance="B"/></rdf:RDF></x:xmpmeta>';
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
});
