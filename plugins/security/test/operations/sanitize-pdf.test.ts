import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestServer, type QuireServer } from '@quire/core';
import { editBytes } from '@quire/document/file/open';
import { allFieldNodes, fullName, readFields } from '@quire/document/forms/fields';
import { withDocument } from '@quire/document/engines/pdfium';
import { runQpdf } from '@quire/document/engines/qpdf';
import { renderPage } from '@quire/document/engines/rendering';
import { callOperation, expectPdf, makePdf, type OperationAnswer } from '@quire/plugin-kit';
import { expect } from 'chai';
import { PDFDocument, PDFName, PDFString } from 'pdf-lib';
import { activeDocument } from '../../fixtures/active-document.js';

const CORPUS = new URL('../../../../../shared/corpus/', import.meta.url);
const nothing = { removeJavaScript: false, removeEmbeddedFiles: false };
const everything = { removeXMPMetadata: true, removeMetadata: true, removeLinks: true };

/** Keys and values that removed files leave behind. */
const FILE_TRACES = new RegExp(
  [
    '/EmbeddedFile',
    '/EF\\b',
    '/AF\\b',
    '/Collection',
    '/GoToE',
    '/Rendition',
    '/Sound',
    '/Movie',
    '/RichMedia',
    '/FileAttachment',
    '/3DD',
    'UseAttachments',
    'content of',
  ].join('|'),
);
/** The same for links. */
const LINK_TRACES = new RegExp(
  [
    '/URI\\b',
    '/Launch',
    '/GoToR',
    '/GoToE',
    '/SubmitForm',
    '/ImportData',
    '/URLS',
    '/SpiderInfo',
    'example\\.com',
    '\\.exe',
    'other\\.pdf',
    'script of a link',
  ].join('|'),
);
/** The same for everything that can be removed, except fonts. */
const ALL_TRACES = new RegExp(
  [
    '/JavaScript\\b',
    '/JS\\b',
    '/Launch\\b',
    '/EmbeddedFiles?\\b',
    '/EF\\b',
    '/URI\\b',
    '/GoToR\\b',
    '/GoToE\\b',
    '/SubmitForm\\b',
    '/ImportData\\b',
    '/Metadata\\b',
    '<script[\\s>]',
  ].join('|'),
);

/** The file as text with nothing compressed: every stream inflated, UTF-16 strings decoded (a second parser). */
async function unpacked(bytes: Uint8Array): Promise<string> {
  const { files } = await runQpdf(
    [
      '--qdf',
      '--object-streams=disable',
      '--stream-data=uncompress',
      '--decode-level=generalized',
      '--warning-exit-0',
      'in.pdf',
      'out.pdf',
    ],
    { inputs: [{ name: 'in.pdf', bytes }], outputs: ['out.pdf'] },
  );
  const text = Buffer.from(files['out.pdf'] ?? new Uint8Array()).toString('latin1');
  const written = [...text.matchAll(/<([\da-f\s]+)>/gi)].map(([, digits = '']) =>
    Buffer.from(digits.replaceAll(/\s/g, ''), 'hex').toString('latin1'),
  );
  return [text, ...written].join('\n').replaceAll('\0', '');
}

/** The scripts and files that PDFium finds (a third parser). */
const counted = (bytes: Uint8Array): Promise<{ readonly scripts: number; readonly files: number }> =>
  withDocument(bytes, {}, ({ pdfium, handle }) => ({
    scripts: pdfium.FPDFDoc_GetJavaScriptActionCount(handle),
    files: pdfium.FPDFDoc_GetAttachmentCount(handle),
  }));

const pictures = (bytes: Uint8Array, annotations: boolean): Promise<Buffer[]> =>
  withDocument(bytes, {}, (document) =>
    [0, 1].map((page) => Buffer.from(renderPage(document, page, { width: 300, height: 300, annotations }))),
  );

describe('sanitize-pdf over HTTP', function () {
  this.timeout(60_000);
  let server: QuireServer;
  let url: string;
  let active: Uint8Array;
  before(async () => {
    server = await createTestServer({ plugins: ['@quire/plugin-security'] });
    url = await server.start();
    active = await activeDocument();
  });
  after(() => server.stop());

  const call = (params: Record<string, unknown>, bytes = active, name = 'active.pdf'): Promise<OperationAnswer> =>
    callOperation(url, { path: 'security/sanitize-pdf', files: [{ name, bytes }], params });
  const report = (answer: OperationAnswer): Record<string, number> =>
    JSON.parse(answer.headers.get('x-tool-report') ?? '{}') as Record<string, number>;

  it('removes scripts and files by default, as its description says', async () => {
    const answer = await call({});
    expect([answer.status, answer.fileName]).to.deep.equal([200, 'active_sanitized.pdf']);
    const text = await unpacked(answer.bytes);
    expect(text).not.to.match(
      /\/JavaScript|\/JS\b|\/Launch|\/EmbeddedFile|\/EF\b|\/AF\b|\/Collection|script of|content of/,
    );
    expect(text)
      .to.match(/\/URI/)
      .and.to.match(/\/Metadata/)
      .and.to.match(/Private Author/);
    expect(await counted(answer.bytes)).to.deep.equal({ scripts: 0, files: 0 });
  });

  it('removes scripts from every place, and actions that start programs with them', async () => {
    const answer = await call({ ...nothing, removeJavaScript: true });
    const text = await unpacked(answer.bytes);
    expect(text).not.to.match(/\/JavaScript|\/JS\b|\/Launch|script of|javascript|<script|OnInstantiate|\/CO\b/);
    expect(text)
      .to.match(/content of list\.txt/)
      .and.to.match(/https:\/\/example\.com\/link/)
      .and.to.match(/\/SubmitForm/);
    expect(report(answer)).to.include({ launches: 3, files: 0, links: 0 });
  });

  it('moves the actions that follow a removed one up to its place', async () => {
    const { bytes } = await call({});
    const document = await PDFDocument.load(bytes, { updateMetadata: false });
    const annotations =
      document
        .getPage(0)
        .node.Annots()
        ?.asArray()
        .map((ref) => document.context.lookup(ref)?.toString() ?? '') ?? [];
    expect(annotations.filter((text) => /\/Subtype \/Link/.test(text))).to.have.length(15);
    const opening = document.context.lookup(document.catalog.get(PDFName.of('OpenAction')))?.toString();
    expect(opening).to.match(/\/S \/GoTo/);
    expect((await unpacked(bytes)).match(/\/S \/GoTo\b/g)?.length).to.be.greaterThan(6);
  });

  it('removes texts from places where only numbers belong, and keeps the other numbers', async () => {
    const document = await PDFDocument.create();
    const { context } = document;
    const { node } = document.addPage([200, 200]);
    const matrix = context.obj([0.001, 0, 0, 0.001, 0, PDFString.of('alert(1)')]);
    const glyph = context.register(context.stream('500 0 d0 0 0 400 700 re f'));
    const font = {
      Type: 'Font',
      Subtype: 'Type3',
      FontBBox: [0, 0, 500, PDFString.of('alert(2)')],
      FontMatrix: matrix,
      FirstChar: 65,
      LastChar: PDFString.of('alert(3)'),
      Widths: [PDFString.of('alert(4)')],
      Encoding: { Differences: [65, PDFName.of('a')] },
      CharProcs: { a: glyph },
    };
    node.set(PDFName.of('Resources'), context.obj({ Font: { F: font } } as never));
    node.set(PDFName.of('Contents'), context.register(context.stream('BT /F 20 Tf 20 20 Td (A) Tj ET')));
    const bytes = await document.save();
    expect(await unpacked(bytes)).to.match(/alert/);
    const answer = await call({}, bytes);
    expect(answer.status).to.equal(200);
    expect(report(answer).scripts).to.equal(4);
    const text = (await unpacked(answer.bytes)).replaceAll(/\s+/g, ' ');
    expect(text).not.to.match(/alert/);
    expect(text).to.match(/\/FontMatrix \[ (0?\.001) 0 0 \1 0 0 \]/);
    expect(await unpacked((await call(nothing, bytes)).bytes)).to.match(/alert/);
  });

  it('removes files from name trees, pages, annotations, media and portfolios, and nothing else', async () => {
    const answer = await call({ ...nothing, removeEmbeddedFiles: true });
    const text = await unpacked(answer.bytes);
    expect(text).not.to.match(FILE_TRACES);
    expect(text)
      .to.match(/app\.alert/)
      .and.to.match(/\/Launch/)
      .and.to.match(/A note that stays/);
    expect((await counted(answer.bytes)).files).to.equal(0);
    expect(report(answer)['files']).to.equal(9);
  });

  it('removes links that leave the document, and keeps link areas and internal links', async () => {
    const answer = await call({ ...nothing, removeLinks: true });
    const text = await unpacked(answer.bytes);
    expect(text).not.to.match(LINK_TRACES);
    expect(text)
      .to.match(/script of opening/)
      .and.to.match(/\/ResetForm/)
      .and.to.match(/Item 2/);
    const document = await PDFDocument.load(answer.bytes, { updateMetadata: false });
    expect(document.getPage(0).node.Annots()?.size()).to.equal(22);
  });

  it('removes XMP from the document, its pages and its images', async () => {
    const { bytes } = await call({ ...nothing, removeXMPMetadata: true });
    const text = await unpacked(bytes);
    expect(text).not.to.match(/\/Metadata|W5M0MpCehiHzreSzNTczkc9d|Private xmp/);
    expect(text)
      .to.match(/Private Author/)
      .and.to.match(/Private picture/);
  });

  it('removes document information, private data and image metadata, and changes the identifier', async () => {
    const { bytes } = await call({ ...nothing, removeMetadata: true });
    const text = await unpacked(bytes);
    expect(text).not.to.match(
      /\/Info\b|\/PieceInfo|LastModified|Private (?:title|Author|4711|layout|data|picture)|\/Producer|1{32}|2{32}/,
    );
    expect(text).to.match(/Private xmp of the document/);
    await expectPdf(bytes)
      .pages(2)
      .text(1, /Plain text/);
  });

  it('removes font programs, and the text still reads the same', async () => {
    const answer = await call({ ...nothing, removeFonts: true });
    expect(await unpacked(answer.bytes)).not.to.match(/\/FontFile|\/CIDSet|[A-Z]{6}\+/);
    expect(report(answer)['fonts']).to.equal(1);
    expect(decodeURIComponent(answer.headers.get('x-warnings') ?? '')).to.contain(
      '1 of the removed fonts has glyph numbers as codes',
    );
    expect((await call(nothing)).headers.get('x-warnings')).to.equal(null);
    await expectPdf(answer.bytes)
      .pages(2)
      .text(1, /Plain text\s+Embedded text/)
      .text(2, /Second page/);
    const [before, after] = [await pictures(active, false), await pictures(answer.bytes, false)];
    expect(after[0]?.equals(before[0] ?? Buffer.alloc(0)), 'page of another font').to.equal(false);
    expect(after[1]?.equals(before[1] ?? Buffer.alloc(0)), 'page without embedded fonts').to.equal(true);
  });

  it('keeps the appearance of pages and the fields', async () => {
    const { bytes } = await call(everything);
    const [before, after] = [await pictures(active, false), await pictures(bytes, false)];
    for (const page of [0, 1])
      expect(after[page]?.equals(before[page] ?? Buffer.alloc(0)), `page ${page + 1}`).to.equal(true);
    const document = await PDFDocument.load(bytes, { updateMetadata: false });
    expect([...allFieldNodes(readFields(document.context))].map((node) => fullName(document.context, node))).to.include(
      'person.address.street',
    );
    expect(document.catalog.get(PDFName.of('Outlines'))).not.to.equal(undefined);
  });

  it('leaves nothing for other programs to find', async function () {
    const { bytes } = await call({ ...everything, removeFonts: true });
    const folder = await mkdtemp(join(tmpdir(), 'quire-sanitize-'));
    try {
      await writeFile(join(folder, 'a.pdf'), bytes);
      const run = (program: string, ...args: string[]): string =>
        execFileSync(program, [...args, join(folder, 'a.pdf')], {
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'ignore'],
        });
      try {
        run('pdfinfo');
      } catch {
        this.skip();
      }
      expect(run('pdfinfo', '-js').trim()).to.equal('');
      expect(run('pdfinfo'))
        .to.match(/JavaScript:\s+no/)
        .and.to.match(/Metadata Stream:\s+no/)
        .and.not.to.match(/Title:|Author:|Producer:|Creat|Mod/);
      expect(run('pdfdetach', '-list')).to.match(/^0 embedded files/);
      for (const program of ['pdftotext', 'pdffonts']) run(program);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('leaves nothing of earlier revisions', async () => {
    const document = await PDFDocument.create();
    document.addPage();
    document.catalog.set(PDFName.of('Remark'), PDFString.of('an earlier secret'));
    const bytes = await editBytes(await document.save({ useObjectStreams: false }), { mode: 'append' }, (opened) =>
      opened.document.catalog.delete(PDFName.of('Remark')),
    );
    expect(Buffer.from(bytes).toString('latin1')).to.include('an earlier secret');
    const answer = await call(nothing, bytes);
    expect(answer.status).to.equal(200);
    expect(await unpacked(answer.bytes)).not.to.include('an earlier secret');
  });

  it('returns a plain copy if nothing is requested, with its producer unchanged', async () => {
    const document = await PDFDocument.load(await makePdf({ pages: 2, text: ['first', 'second'] }));
    document.setProducer('Another program');
    const answer = await call(nothing, await document.save());
    expect(answer.status).to.equal(200);
    await expectPdf(answer.bytes).pages(2).text(1, /first/);
    expect((await PDFDocument.load(answer.bytes, { updateMetadata: false })).getProducer()).to.equal('Another program');
    expect(Object.values(report(answer)).every((count) => count === 0)).to.equal(true);
  });

  it('keeps the passwords and permissions of a document', async () => {
    const restricted = new Uint8Array(await readFile(new URL('../../fixtures/restricted.pdf', import.meta.url)));
    const answer = await call({ removeMetadata: true }, restricted);
    expect(answer.status).to.equal(200);
    await expectPdf(answer.bytes)
      .pages(1)
      .text(1, /Restricted page/);
    const { stdout } = await runQpdf(['--show-encryption', 'in.pdf'], {
      inputs: [{ name: 'in.pdf', bytes: answer.bytes }],
      outputs: [],
    });
    expect(stdout).to.match(/print low resolution: not allowed/);
  });

  it('refuses invalid flags, encrypted and damaged files, naming the fault', async () => {
    const wrong = await call({ removeLinks: 'perhaps' });
    expect([
      wrong.status,
      wrong.json<{ errors: { pointer: string }[] }>().errors.map(({ pointer }) => pointer),
    ]).to.deep.equal([400, ['/removeLinks']]);
    for (const [file, code] of [
      ['locked.pdf', 'PDF_ENCRYPTED'],
      ['header-only.pdf', 'PDF_DAMAGED'],
    ] as const) {
      const answer = await call(
        {},
        new Uint8Array(await readFile(new URL(`../../fixtures/${file}`, import.meta.url))),
        file,
      );
      expect([answer.status, answer.code], file).to.deep.equal([400, code]);
    }
  });

  for (const name of [
    'pdfium/launch_action.pdf',
    'pdfium/gotoe_action.pdf',
    'pdfium/get_page_aaction.pdf',
    'pdfium/annot_javascript.pdf',
    'pdfium/bug_1058653.pdf',
    'pdfbox/testPDFPackage.pdf',
    'pdf-lib/sample_form.pdf',
  ]) {
    it(
      'leaves nothing of what it removes in ' +
        `${name}${existsSync(new URL(name, CORPUS)) ? '' : ' (skipped: no ../shared/corpus)'}`,
      async function () {
        const file = new URL(name, CORPUS);
        if (!existsSync(file)) this.skip();
        const answer = await call(everything, new Uint8Array(await readFile(file)), 'corpus.pdf');
        expect(answer.status).to.equal(200);
        expect(await unpacked(answer.bytes)).not.to.match(ALL_TRACES);
        expect(await counted(answer.bytes)).to.deep.equal({ scripts: 0, files: 0 });
      },
    );
  }
});
