import { execFileSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestServer, type QuireServer } from '@quire/core';
import { listAttachments } from '@quire/document/structure/attachments';
import { outlineTitle, type OutlineNode, readOutlines } from '@quire/document/structure/outlines';
import { readAnnotations } from '@quire/document/structure/annotations';
import { readNamedDestinations, targetOf } from '@quire/document/structure/names';
import { asName, asText, catalogOf, entry } from '@quire/document/file/objects';
import { withPdf } from '@quire/document/file/open';
import { callOperation, expectPdf, type OperationAnswer } from '@quire/plugin-kit';
import { expect } from 'chai';
import { epub2, pack, picture } from '../../fixtures/book-files.js';
import { everythingIn } from '../../../../document/test/support.js';

interface Sent {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const fixture = async (name: string, as = name): Promise<Sent> => ({
  name: as,
  bytes: new Uint8Array(await readFile(new URL(`../../fixtures/${name}`, import.meta.url))),
});
const sent = (name: string, words: string): Sent => ({ name, bytes: Buffer.from(words) });

describe('Mails and books over HTTP', function () {
  this.timeout(120_000);
  let server: QuireServer;
  let url: string;
  let folder: string;
  let canary: Server;
  let port: number;
  const called: string[] = [];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-mails-'));
    server = await createTestServer({ plugins: ['@quire/plugin-convert'] });
    url = await server.start();
    canary = createServer((request, response) => {
      called.push(request.url ?? '');
      response.end();
    });
    await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
    ({ port } = canary.address() as AddressInfo);
  });
  after(async () => {
    canary.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const call = (path: string, file: Sent, params: Record<string, unknown> = {}): Promise<OperationAnswer> =>
    callOperation(url, { path: `convert/${path}`, files: [file], params });
  const fault = (answer: OperationAnswer): unknown[] => [
    answer.status,
    answer.json<{ errors?: { pointer: string }[] }>().errors?.[0]?.pointer,
  ];
  /** Writes a file in which every address of the fixtures is that of the listener. */
  const aimed = async (name: string): Promise<Sent> => ({
    name,
    bytes: Buffer.from(
      Buffer.from((await fixture(name)).bytes)
        .toString('latin1')
        .replaceAll('127.0.0.1:9/', `127.0.0.1:${port}/`),
      'latin1',
    ),
  });
  const outline = (bytes: Uint8Array): Promise<unknown[]> =>
    withPdf(bytes, {}, ({ document: { context }, pages }) => {
      const named = readNamedDestinations(context);
      const refs = pages.map(({ ref }) => ref);
      const read = (nodes: readonly OutlineNode[]): unknown[] =>
        nodes.map((node) => {
          const target = targetOf(context, named, node.dict, refs);
          return [
            outlineTitle(context, node),
            target.kind === 'page' ? refs.indexOf(target.page) + 1 : target.kind,
            ...(node.children.length === 0 ? [] : [read(node.children)]),
          ];
        });
      return read(readOutlines(context));
    });
  const tool = async (command: string, bytes: Uint8Array, ...args: string[]): Promise<string> => {
    const path = join(folder, 'looked-at.pdf');
    await writeFile(path, bytes);
    return execFileSync(
      command,
      args.map((arg) => (arg === '{}' ? path : arg)),
      { encoding: 'utf8' },
    );
  };

  describe('eml/pdf', () => {
    it('prints a mail with its headers, its body and its list of attachments, under its whole name', async () => {
      const answer = await call('eml/pdf', await aimed('report.eml'));
      expect([answer.status, answer.fileName, answer.headers.get('content-type')]).to.deep.equal([
        200,
        'report.eml.pdf',
        'application/pdf',
      ]);
      const {
        text: [page = ''],
      } = await expectPdf(answer.bytes).pages(1).size(1, 595, 842);
      const order = [
        'Quarterly report – Überblick',
        'Alice Müller',
        'Smith, Carol',
        'dan@example.com',
        'Erin',
        'Tue, Jan 6, 2026 at 3:04 PM UTC',
        'as promised',
        'North',
        '1,200',
        'South',
        'How did the quarter go?',
        'The full report',
        'Sales chart',
        'Attachments (3)',
        'für Bob.csv',
        '35 B',
        'attachment-3.eml',
        'attachment-4.pdf',
      ];
      expect(
        order.map((words) => page.indexOf(words)).every((at, i, all) => at > (all[i - 1] ?? -1)),
        page,
      ).to.equal(true);
      expect(page).to.not.include('logo.png');
      expect((await tool('pdfimages', answer.bytes, '-list', '{}')).split('\n')[2]).to.match(/image +120 +40/);
      expect(await tool('qpdf', answer.bytes, '--check', '{}')).to.include('No syntax or stream encoding errors');
    });

    it('embeds attachments, lays an annotation over each entry, and opens with the list of files', async () => {
      const answer = await call('eml/pdf', await fixture('report.eml'), { includeAttachments: true });
      await withPdf(answer.bytes, {}, ({ document: { context }, pages }) => {
        expect(asName(context, entry(catalogOf(context)!, 'PageMode'))).to.equal('UseAttachments');
        expect(
          listAttachments(context)
            .map(({ name }) => name)
            .sort(),
        ).to.deep.equal(['attachment-3.eml', 'attachment-4.pdf', 'für Bob.csv']);
        const marks = readAnnotations(context, pages[0]!.dict).filter(({ kind }) => kind === 'FileAttachment');
        expect(marks.map(({ dict }) => asText(context, entry(dict, 'Contents')))).to.deep.equal([
          'für Bob.csv',
          'attachment-3.eml',
          'attachment-4.pdf',
        ]);
        expect(
          readAnnotations(context, pages[0]!.dict).some(
            ({ kind, dict }) => kind === 'Link' && String(entry(dict, 'A')).includes('attachment:'),
          ),
        ).to.equal(false);
      });
      const path = join(folder, 'csv');
      await tool('pdfdetach', answer.bytes, '-save', '3', '-o', path, '{}');
      expect((await readFile(path, 'utf8')).trim()).to.equal('Region,Sales\nNorth,1200\nSouth,980');
      expect(answer.headers.get('x-tool-report')).to.include('"embedded":3');
    });

    it('lists larger attachments and embeds the others', async () => {
      const mail = sent(
        'big.eml',
        [
          'From: a@example.com',
          'Subject: big',
          'MIME-Version: 1.0',
          'Content-Type: multipart/mixed; boundary=b',
          '',
          '--b',
          'Content-Type: application/octet-stream; name=big.bin',
          'Content-Transfer-Encoding: base64',
          '',
          Buffer.alloc(1024 * 1024 + 1).toString('base64'),
          '--b',
          'Content-Type: application/octet-stream; name=small.bin',
          '',
          'x',
          '--b--',
        ].join('\r\n'),
      );
      const answer = await call('eml/pdf', mail, { includeAttachments: true, maxAttachmentSizeMB: 1 });
      expect(
        (await tool('pdfdetach', answer.bytes, '-list', '{}')).match(/(?:big|small)\.bin/g)?.includes('big.bin'),
      ).to.equal(false);
      await expectPdf(answer.bytes).text(1, 'big.bin (1.0 MB)').text(1, 'small.bin');
      for (const maxAttachmentSizeMB of [0, 101, 'x', 1.5])
        expect(fault(await call('eml/pdf', mail, { maxAttachmentSizeMB })), String(maxAttachmentSizeMB)).to.deep.equal([
          400,
          '/maxAttachmentSizeMB',
        ]);
    });

    it('answers the page itself when asked to, complete and with a policy', async () => {
      const answer = await call('eml/pdf', await fixture('report.eml'), {
        downloadHtml: true,
        includeAllRecipients: false,
      });
      const html = Buffer.from(answer.bytes).toString();
      expect([answer.status, answer.fileName, answer.headers.get('content-type')?.split(';')[0]]).to.deep.equal([
        200,
        'report.eml.html',
        'text/html',
      ]);
      expect(html)
        .to.include('Content-Security-Policy')
        .and.include('data:image/png;base64,')
        .and.not.match(/erin@|<script|127\.0\.0\.1/);
    });

    it('knows a message of Outlook by its content', async () => {
      const answer = await call('eml/pdf', await fixture('outlook.msg', 'renamed.eml'));
      expect([answer.status, answer.fileName]).to.deep.equal([200, 'renamed.eml.pdf']);
      await expectPdf(answer.bytes).text(1, 'Grüße aus').text(1, 'ada@example.com');
      await expectPdf((await call('eml/pdf', await fixture('report.eml', 'renamed.msg'))).bytes).text(
        1,
        'Quarterly report',
      );
    });

    it('prints Japanese and Arabic with letters', async () => {
      const answer = await call('eml/pdf', await fixture('scripts.eml'));
      const fonts = await tool('pdffonts', answer.bytes, '{}');
      expect(await tool('pdftotext', answer.bytes, '{}', '-'))
        .to.include('四半期の報告書')
        .and.include('taro@example.jp');
      expect(
        fonts
          .split('\n')
          .slice(2)
          .filter((line) => line !== '')
          .every((line) => / yes /.test(line)),
        fonts,
      ).to.equal(true);
    });

    it('refuses a file that is not a mail', async () => {
      const answer = await call('eml/pdf', await fixture('no-mail.eml'));
      expect([answer.code, ...fault(answer)]).to.deep.equal(['MAIL_UNREADABLE', 400, '/fileInput']);
      expect((await call('eml/pdf', await fixture('note.txt'))).status).to.equal(415);
    });
  });

  describe('ebook/pdf', () => {
    it('prints an EPUB with its outline, its links and a contents with the right numbers', async () => {
      const answer = await call('ebook/pdf', await aimed('book.epub'), {
        includeTableOfContents: true,
        includePageNumbers: true,
      });
      expect([answer.status, answer.fileName, answer.headers.get('content-type')]).to.deep.equal([
        200,
        'book_convertedToPDF.pdf',
        'application/pdf',
      ]);
      const { pages, text } = await expectPdf(answer.bytes).text(2, 'Contents').text(3, 'It began here');
      const chapter = text.findIndex((page) => page.includes('Wide')) + 1;
      expect(await outline(answer.bytes)).to.deep.equal([
        ['One: Beginnings', 3, [['The map', 3]]],
        ['Two: The table', chapter],
      ]);
      expect(text[1]!.replace(/\s+/g, ' ')).to.include('One: Beginnings 3').and.include(`Two: The table ${chapter}`);
      expect(text[3]).to.match(new RegExp(`4 / ${pages}`));
      expect(
        (await tool('pdfimages', answer.bytes, '-list', '{}')).split('\n').filter((line) => / jpeg /.test(line)).length,
      ).to.be.at.least(2);
      expect(await tool('pdfinfo', answer.bytes, '{}')).to.match(
        /Title: +The Small Book\nAuthor: +Ann Author, Ben Writer/,
      );
      await withPdf(answer.bytes, {}, ({ document: { context }, pages: all }) => {
        const [named, refs] = [readNamedDestinations(context), all.map(({ ref }) => ref)];
        const targets = readAnnotations(context, all[2]!.dict)
          .map(({ dict }) => targetOf(context, named, dict, refs))
          .map((target) => (target.kind === 'page' ? refs.indexOf(target.page) + 1 : target.kind));
        expect(targets).to.deep.equal([pages, chapter, 'other']);
      });
    });

    it('leaves contents and numbers out where they are not asked for', async () => {
      const { text } = await expectPdf((await call('ebook/pdf', await fixture('book.epub'))).bytes).text(
        2,
        'It began here',
      );
      expect(text.join(' ')).to.not.match(/Contents|\d \/ \d/);
    });

    it('prints pages of the size that the book names, with its own font, from right to left', async () => {
      const font = await readFile(
        new URL(
          '../../../../node_modules/@expo-google-fonts/cousine/400Regular/Cousine_400Regular.ttf',
          import.meta.url,
        ),
      );
      const answer = await call('ebook/pdf', { name: 'fixed.EPUB', bytes: await epub2(font) });
      await expectPdf(answer.bytes).pages(2).size(1, 300, 450).size(2, 300, 450).text(1, 'Low').text(2, 'High');
      expect(await tool('pdffonts', answer.bytes, '{}')).to.match(/Cousine/);
      expect(await outline(answer.bytes)).to.deep.equal([['Second page', 2]]);
      expect(await everythingIn(answer.bytes)).to.match(/\/Direction ?\/R2L/);
    });

    it('reads Kindle books, FictionBooks, text and word processing alike', async () => {
      for (const name of ['book.mobi', 'book.azw3']) {
        const answer = await call('ebook/pdf', await fixture(name));
        await expectPdf(answer.bytes).text(2, 'It began here');
        expect(JSON.stringify(await outline(answer.bytes)), name).to.include('["One: Beginnings",2');
      }
      const fiction = await call('ebook/pdf', await fixture('book.fb2'));
      expect((await tool('pdftotext', fiction.bytes, '{}', '-')).replace(/\s+/g, ' ')).to.match(
        /О чём эта книга.*Глава первая Эпиграф Некто.*сноской.*Первая строка Вторая строка Внутри.*Глава вторая Конец.*Сноска/,
      );
      expect(await outline(fiction.bytes)).to.deep.equal([
        ['Глава первая', 3, [['Внутри', 3]]],
        ['Глава вторая', 4],
      ]);
      await expectPdf(
        (await call('ebook/pdf', sent('story.TXT', 'Chapter 1\n\nIt began.\n\nChapter 2\n\nIt ended.\n'))).bytes,
      )
        .pages(2)
        .text(2, 'It ended');
      const letter = await call('ebook/pdf', await fixture('letter.docx'));
      if (letter.code === 'PROGRAM_MISSING')
        expect([letter.status, Buffer.from(letter.bytes).toString()]).to.satisfy(
          ([status, body]: [number, string]) => status === 503 && body.includes('libreoffice'),
        );
      else await expectPdf(letter.bytes).text(1, 'Dear reader');
    });

    it('makes the file smaller for small screens', async () => {
      const image = await picture('Large', '#357', 2400, 3200);
      const book = {
        name: 'large.epub',
        bytes: await pack({
          mimetype: 'application/epub+zip',
          'a.opf':
            '<package><metadata/><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/>' +
            '</manifest><spine><itemref idref="a"/></spine></package>',
          'a.xhtml': '<p>A picture</p><img src="p.jpg"/>',
          'p.jpg': image,
        }),
      };
      const [plain, small] = [
        await call('ebook/pdf', book),
        await call('ebook/pdf', book, { optimizeForEbook: true, embedAllFonts: true }),
      ];
      expect(small.bytes.length).to.be.lessThan(plain.bytes.length * 0.8);
      await expectPdf(small.bytes).text(1, 'A picture');
    });

    it('refuses files that are not books, encrypted books, and other file types', async () => {
      const encrypted = await pack({
        mimetype: '',
        'META-INF/encryption.xml':
          '<e><EncryptedData><EncryptionMethod Algorithm="x:drm"/><CipherData><CipherReference URI="a"/>' +
          '</CipherData></EncryptedData></e>',
        'a.opf': '<package/>',
      });
      expect([
        (await call('ebook/pdf', { name: 'a.epub', bytes: encrypted })).code,
        (await call('ebook/pdf', sent('a.epub', 'no zip'))).status,
        (await call('ebook/pdf', sent('a.mobi', 'no book'.repeat(20)))).code,
        (await call('ebook/pdf', await fixture('no-book.fb2'))).code,
      ]).to.deep.equal(['BOOK_PROTECTED', 400, 'BOOK_UNREADABLE', 'BOOK_UNREADABLE']);
      expect((await call('ebook/pdf', await fixture('shapes.png', 'book.png'))).status).to.equal(415);
    });
  });

  it('calls nobody, whatever mails and books refer to', async () => {
    const at = `http://127.0.0.1:${port}`;
    const mail =
      `From: a@example.com\r\nSubject: x\r\nContent-Type: text/html\r\n\r\n<html><head><style>@import "${at}/1"; ` +
      `body { background: url(${at}/2) }</style><link rel=stylesheet href=${at}/3><base href=${at}/></head><body ` +
      `background=${at}/4><img src=${at}/5><img src=file:///etc/passwd><iframe src=${at}/6></iframe><object data=` +
      `${at}/7></object><script src=${at}/8></script><a href=${at}/9 ping=${at}/10>link</a>`;
    expect((await call('eml/pdf', sent('attack.eml', mail), { includeAttachments: true })).status).to.equal(200);
    const chapter =
      `<!DOCTYPE html [<!ENTITY x SYSTEM "${at}/11">]><html><head><link rel="stylesheet" href="${at}/12"/><style>` +
      `@font-face { font-family: F; src: url(${at}/13) } p { font-family: F; background: url(${at}/14) }</style>` +
      `</head><body><p>&x;<img src="${at}/15"/><svg><image xlink:href="${at}/16"/></svg></p><img src="p.svg"/>` +
      '</body></html>';
    const book = await pack({
      mimetype: '',
      'a.opf':
        '<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine>' +
        '<itemref idref="a"/></spine></package>',
      'a.xhtml': chapter,
      'p.svg':
        `<svg xmlns="http://www.w3.org/2000/svg"><style>@import url(${at}/17);</style><image href="${at}/18" ` +
        `width="10" height="10"/><script href="${at}/19"/></svg>`,
    });
    expect((await call('ebook/pdf', { name: 'attack.epub', bytes: book })).status).to.equal(200);
    expect(called).to.deep.equal([]);
  });
});
