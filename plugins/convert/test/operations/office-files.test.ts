import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestServer, type QuireServer } from '@quire/core';
import { callOperation, type OperationAnswer } from '@quire/plugin-kit';
import { expect } from 'chai';
import { compoundFile } from '../../fixtures/make-office.js';
import { flatText, packOffice, textDocument } from '../office-samples.js';
import { onPath } from '../on-path.js';

const fixture = (name: string): URL => new URL(`../../fixtures/${name}`, import.meta.url);
describe('office files to PDF over HTTP (skipped where soffice or poppler is not on PATH)', function suite() {
  this.timeout(120_000);
  let server: QuireServer;
  let url: string;
  let folder: string;
  before(async function needsPrograms() {
    if (!onPath('soffice', 'pdftotext', 'pdfimages', 'qpdf')) return this.skip();
    folder = mkdtempSync(join(tmpdir(), 'quire-office-'));
    server = await createTestServer({ plugins: ['@quire/plugin-convert'] });
    url = await server.start();
  });
  after(async () => {
    await server?.stop();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  const call = (name: string, bytes: Uint8Array | string, path = 'convert/file/pdf'): Promise<OperationAnswer> =>
    callOperation(url, {
      path,
      files: [{ name, bytes: typeof bytes === 'string' ? new TextEncoder().encode(bytes) : new Uint8Array(bytes) }],
      params: {},
    });
  const code = async (name: string, bytes: Uint8Array | string): Promise<string> => {
    const answer = await call(name, bytes);
    return answer.status === 200
      ? 'converted'
      : `${answer.status} ${answer.json<{ code: string }>().code} ` +
          `${JSON.stringify(answer.json<{ detail: string }>().detail.includes('fileInput'))}`;
  };
  const print = async (name: string, bytes: Uint8Array | string): Promise<string> => {
    const answer = await call(name, bytes);
    expect(answer.status, `${name}: ${answer.status === 200 ? '' : new TextDecoder().decode(answer.bytes)}`).to.equal(
      200,
    );
    const pdf = join(folder, 'out.pdf');
    writeFileSync(pdf, answer.bytes);
    return pdf;
  };
  const ask = (program: string, ...args: string[]): string => execFileSync(program, args, { encoding: 'utf8' });
  const textOf = (pdf: string): string => ask('pdftotext', '-layout', pdf, '-');

  it('keep headings as outline, links, tags, form fields and landscape pages, and set the producer', async () => {
    const pdf = await print('sample.fodt', readFileSync(fixture('sample.fodt')));
    ask('qpdf', '--check', pdf);
    const info = ask('pdfinfo', '-f', '1', '-l', '2', pdf);
    expect(info)
      .to.match(/Producer: +Quire/)
      .and.match(/Creator: +Writer/)
      .and.match(/Tagged: +yes/)
      .and.match(/Pages: +2/)
      .and.match(/Form: +AcroForm/);
    expect(info)
      .to.match(/Page +1 size: +595\.\d* x 841/)
      .and.match(/Page +2 size: +841\.\d* x 595/);
    expect(ask('pdfinfo', '-url', pdf)).to.contain('https://example.org/');
    const outlines = JSON.parse(ask('qpdf', '--json', '--json-key=outlines', pdf)) as {
      outlines: { title: string; kids: { title: string }[] }[];
    };
    expect(outlines.outlines.map(({ title, kids }) => [title, kids.map((kid) => kid.title)])).to.deep.equal([
      ['First chapter', ['Columns']],
      ['Lying page', []],
    ]);
    const text = textOf(pdf);
    for (const words of [
      'footnote1',
      'Below the line',
      'Over both columns',
      'right cell',
      'Point two',
      'Wider than high',
      'שלום',
      '日本語',
    ])
      expect(text).to.contain(words);
  });

  it('read text and tables in their own encodings, and cells by what parts them', async () => {
    const umlauts = 'Grüße an Jürgen';
    expect(textOf(await print('a.txt', Buffer.from(umlauts, 'latin1')))).to.contain(umlauts);
    expect(textOf(await print('b.txt', Buffer.from(umlauts, 'utf16le')))).to.contain(umlauts);
    expect(textOf(await print('c.txt', `${umlauts} €`))).to.contain(`${umlauts} €`);
    for (const [name, content] of [
      ['d.csv', 'Stück;"Preis; netto";Größe\r\n1;2,50;x\r\n'],
      ['e.csv', 'Stück\tPreis; netto\tGröße\n1\t2,50\tx\n'],
      ['f.csv', 'Stück,Preis; netto,Größe\n1,"2,50",x\n'],
    ] as const) {
      const text = textOf(await print(name, Buffer.from(content, 'latin1')));
      expect(text, name)
        .to.match(/Stück\s+Preis; netto\s+Größe/)
        .and.match(/1\s+2,50\s+x/)
        .and.not.to.contain('"');
    }
    expect(textOf(await print('g.slk', 'ID;P\r\nC;Y1;X1;K"Links"\r\nC;Y1;X2;K42\r\nE\r\n'))).to.match(/Links\s+42/);
    expect(
      textOf(
        await print(
          'h.dif',
          'TABLE\n0,1\n"x"\nVECTORS\n0,1\n""\nTUPLES\n0,1\n""\nDATA\n0,0\n""\n-1,0\nBOT\n1,0\n"Difdata"\n-1,0\nEOD\n',
        ),
      ),
    ).to.contain('Difdata');
    expect(textOf(await print('markup.txt', '<html><body><b>shown as it is</b></body></html>'))).to.contain('<b>shown');
  });

  it('are refused with 400 when a password protects them, naming the field', async () => {
    const refused = '400 OFFICE_ENCRYPTED true';
    expect(await code('locked.doc', readFileSync(fixture('locked.doc')))).to.equal(refused);
    expect(await code('locked.docx', compoundFile('EncryptedPackage', Buffer.alloc(64)))).to.equal(refused);
    expect(
      await code(
        'locked.xls',
        compoundFile(
          'Workbook',
          Buffer.from('0908020000000000'.slice(0, 8) + '0000' + '2f000400010000000a000000', 'hex'),
        ),
      ),
    ).to.equal(refused);
    const user = Buffer.alloc(32);
    user.writeUInt32LE(0xf3d1c4df, 12);
    expect(await code('locked.ppt', compoundFile('Current User', user))).to.equal(refused);
    expect(
      await code(
        'locked.odt',
        await packOffice({
          mimetype: 'application/vnd.oasis.opendocument.text',
          'META-INF/manifest.xml':
            '<m:manifest xmlns:m="x"><m:file-entry><m:encryption-data/></m:file-entry></m:manifest>',
          'content.xml': 'noise',
        }),
      ),
    ).to.equal(refused);
  });

  it('are refused when their content is something else, a bomb, or has entities', async () => {
    const laughs = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]>';
    const png = readFileSync(fixture('shapes.png'));
    for (const name of ['a.docx', 'a.odt', 'a.xlsx', 'a.ods', 'a.pptx', 'a.doc', 'a.xls', 'a.ppt', 'a.txt', 'a.csv'])
      expect(await code(name, png), name).to.equal('400 OFFICE_UNREADABLE true');
    for (const name of ['a.docx', 'a.odp', 'a.xlsm'])
      expect(await code(name, 'only text'), name).to.equal('400 OFFICE_UNREADABLE true');
    for (const name of ['a.fodt', 'a.fods', 'a.fodp', 'a.xml', 'a.svg', 'a.doc'])
      expect(await code(name, laughs + flatText('<text:p>&c;</text:p>').replace(/^<\?xml[^>]*>/, '')), name).to.equal(
        '400 OFFICE_UNREADABLE true',
      );
    const docx = await textDocument({ body: '<w:p/>' });
    expect(
      await code('laughs.docx', await packOffice({ 'word/document.xml': `${laughs}<w:document>&c;</w:document>` })),
    ).to.equal('400 ARCHIVE_UNSAFE true');
    expect(
      await code(
        'slip.docx',
        Buffer.from(
          Buffer.from(docx).toString('latin1').replaceAll('word/document.xml', '../../nowhere.xml'),
          'latin1',
        ),
      ),
    ).to.equal('400 ARCHIVE_UNSAFE true');
    expect(await code('bomb.docx', await packOffice({ 'word/document.xml': Buffer.alloc(40_000_000, ' ') }))).to.equal(
      '400 ARCHIVE_UNSAFE true',
    );
    expect(await code('cut.docx', docx.subarray(0, docx.length / 2))).to.equal('400 ARCHIVE_UNSAFE true');
    expect(await code('other.docx', await packOffice({ 'readme.txt': 'a zip' }))).to.equal(
      '400 OFFICE_UNREADABLE true',
    );
    expect(await code('fine.docx', docx), 'the next one').to.equal('converted');
  });

  describe('hostile ones', () => {
    let canary: Server;
    const called: string[] = [];
    let addresses: readonly string[];
    before(async () => {
      canary = createServer((request, answer) => {
        called.push(request.url ?? '');
        answer.end(readFileSync(fixture('shapes.png')));
      }).listen(0, '127.0.0.1');
      await new Promise((resolve) => {
        canary.once('listening', resolve);
      });
      // An image on this disk plays the file that must not be read: if it is drawn, it was read.
      addresses = [
        `http://127.0.0.1:${(canary.address() as AddressInfo).port}/canary.png`,
        `file://${fileURLToPath(fixture('shapes.png'))}`,
      ];
    });
    after(() => {
      canary?.close();
    });

    const manifest =
      '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" ' +
      'manifest:version="1.2"><manifest:file-entry manifest:full-path="/" ' +
      'manifest:media-type="application/vnd.oasis.opendocument.text"/><manifest:file-entry ' +
      'manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>';
    const drawsNothing = async (name: string, bytes: Uint8Array | string): Promise<void> => {
      const pdf = await print(name, bytes);
      expect(textOf(pdf), name).to.contain('Visible');
      expect(ask('pdfimages', '-list', pdf).trim().split('\n').slice(2), `${name}: pictures`).to.deep.equal([]);
    };
    const field = (instruction: string): string =>
      `<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>${instruction}</w:instrText></w:r>` +
      `<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>saved</w:t></w:r><w:r><w:fldChar ` +
      `w:fldCharType="end"/></w:r></w:p>`;

    it('reach neither the network nor this disk: OOXML', async () => {
      for (const address of addresses) {
        const picture =
          '<w:p><w:r><w:pict><v:shape style="width:80pt;height:60pt"><v:imagedata r:id="x1"/></v:shape>' +
          '</w:pict></w:r></w:p>';
        const blip =
          '<w:p><w:r><w:drawing><wp:inline><wp:extent cx="990000" cy="790000"/><wp:docPr id="1" name="p"/>' +
          '<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic>' +
          '<pic:nvPicPr><pic:cNvPr id="1" name="p"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip ' +
          'r:link="x2"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" ' +
          'y="0"/><a:ext cx="990000" cy="790000"/></a:xfrm><a:prstGeom prst="rect"/></pic:spPr></pic:pic>' +
          '</a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>';
        const object =
          '<w:p><w:r><w:object><o:OLEObject Type="Link" ProgID="Word.Document" ShapeID="s" r:id="x3"/>' +
          '</w:object></w:r></w:p><w:altChunk r:id="x4"/>';
        const relations = {
          x1: ['image', address],
          x2: ['hyperlink', address],
          x3: ['oleObject', address],
          x4: ['aFChunk', address],
          x5: ['attachedTemplate', address],
          x6: ['subDocument', address],
        } as const;
        await drawsNothing(
          'hostile.docx',
          await textDocument({
            body:
              `<w:p><w:r><w:t>Visible</w:t></w:r></w:p>${picture}${blip}${object}` +
              `${field(`INCLUDEPICTURE "${address}" \\d`)}${field(`INCLUDETEXT "${address}"`)}`,
            relations,
          }),
        );
      }
      expect(called).to.deep.equal([]);
    });

    it('reach neither the network nor this disk: OpenDocument, zipped and flat', async () => {
      for (const address of addresses) {
        const frame = (inner: string): string =>
          `<text:p><draw:frame text:anchor-type="as-char" svg:width="3cm" svg:height="3cm">${inner}` +
          '</draw:frame></text:p>';
        const body =
          '<text:p>Visible</text:p>' +
          `${frame(`<draw:image xlink:href="${address}" xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"/>`)}` +
          `${frame(`<draw:object xlink:href="${address}" xlink:type="simple"/>`)}<text:section text:name="s">` +
          `<text:section-source xlink:href="${address}" xlink:type="simple"/><text:p>saved</text:p>` +
          '</text:section>';
        const flat = flatText(
          body,
          `<meta:template xlink:href="${address}" xlink:type="simple"/><meta:auto-reload xlink:href="${address}` +
            `" meta:delay="PT0S"/>`,
        );
        await drawsNothing('hostile.fodt', flat);
        await drawsNothing(
          'hostile.odt',
          await packOffice({
            mimetype: 'application/vnd.oasis.opendocument.text',
            'META-INF/manifest.xml': manifest,
            'content.xml': flat
              .replaceAll('office:document ', 'office:document-content ')
              .replace('</office:document>', '</office:document-content>'),
          }),
        );
      }
      expect(called).to.deep.equal([]);
    });

    it('reach neither the network nor this disk: Rich Text and HTML, under other names too', async () => {
      for (const address of addresses) {
        const path = address.replace('file://', '');
        const rtf =
          `{\\rtf1{\\*\\template ${path}}Visible {\\field{\\*\\fldinst{INCLUDE}{PICTURE "${path}" \\\\d}}` +
          `{\\fldrslt saved}}{\\field{\\*\\fldinst \\'49NCLUDETEXT "${path}"}{\\fldrslt saved}}` +
          `{\\object\\objautlink\\objupdate{\\*\\objclass Word.Document}{\\result saved}}\\par}`;
        for (const name of ['hostile.rtf', 'hostile.doc']) await drawsNothing(name, rtf);
        const html =
          `<html><head><link rel="stylesheet" href="${address}"></head><body background="${address}">Visible<img ` +
          `src="${address}"><iframe src="${address}"></iframe><object data="${address}"></object></body></html>`;
        for (const name of ['hostile.html', 'hostile.doc']) await drawsNothing(name, html);
        await drawsNothing(
          'hostile.svg',
          `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="200" ` +
            `height="100"><text x="10" y="50">Visible</text><image xlink:href="${address}" width="80" ` +
            `height="60"/></svg>`,
        );
      }
      expect(called).to.deep.equal([]);
    });

    it('run no macro, and read no file by formula', async () => {
      const written = join(folder, 'written-by-macro');
      const basic = `<office:scripts><office:script script:language="ooo:Basic"><ooo:libraries><ooo:library-embedded
  ooo:name="Standard"><ooo:module
  ooo:name="M"><ooo:source-code>Sub Main\nn = FreeFile\nOpen "${written}" For Output As #n\nPrint #n, "x"\nClose #n\nEnd Sub</ooo:source-code></ooo:module></ooo:library-embedded></ooo:libraries></office:script><office:event-listeners>${[
    'Basic',
    'Python',
  ]
    .map(
      (language) =>
        `<script:event-listener script:language="ooo:script" script:event-name="dom:load" ` +
        `xlink:href="vnd.sun.star.script:Standard.M.Main?language=${language}&amp;location=document" ` +
        `xlink:type="simple"/>`,
    )
    .join('')}</office:event-listeners></office:scripts>`;
      expect(textOf(await print('macro.fodt', flatText('<text:p>Visible</text:p>', '', basic)))).to.contain('Visible');
      expect(existsSync(written)).to.equal(false);
      const secret = join(folder, 'secret.txt');
      writeFileSync(secret, 'SECRETCANARY');
      const formulas = [
        'WEBSERVICE("file://SECRET")',
        `'file://SECRET'#$secret.A1`,
        'DDE("soffice";"SECRET";"A1")',
        `INDIRECT("'file://SECRET'#$secret.A1")`,
      ].map((formula) => formula.replaceAll('SECRET', secret));
      const text = textOf(
        await print(
          'formulas.csv',
          `Visible\n${formulas.map((formula) => `"=${formula.replaceAll('"', '""')}"`).join('\n')}\n`,
        ),
      );
      expect(text).to.contain('Visible').and.not.to.contain('SECRETCANARY');
      expect(called).to.deep.equal([]);
    });
  });

  it('pdf/xml: a flat OpenDocument text, as octet-stream, with the text of the pages', async () => {
    const pdf = await print('sample.fodt', readFileSync(fixture('sample.fodt')));
    const answer = await call('a b.pdf', readFileSync(pdf), 'convert/pdf/xml');
    expect([answer.status, answer.fileName, answer.headers.get('content-type')]).to.deep.equal([
      200,
      'a b.xml',
      'application/octet-stream',
    ]);
    const xml = new TextDecoder().decode(answer.bytes);
    expect(xml)
      .to.match(/^<\?xml/)
      .and.contain('office:mimetype="application/vnd.oasis.opendocument.text"')
      .and.contain('Over both columns')
      .and.contain('Wider than high');
    expect((await call('note.pdf', 'no PDF', 'convert/pdf/xml')).status).to.equal(400);
  });
});
