import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createTestServer, type QuireServer } from '@quire/core';
import { withPdf } from '@quire/document/file/open';
import { documentTitle, readClaims, readXmp } from '@quire/document/structure/metadata';
import { outlineTitle, readOutlines } from '@quire/document/structure/outlines';
import { readPageLabels } from '@quire/document/structure/pages';
import { callOperation, type FormFile, makePdf, type OperationAnswer, readPdf } from '@quire/plugin-kit';
import { expect } from 'chai';
import { PDFArray, PDFDict, PDFDocument, PDFHexString, PDFName } from 'pdf-lib';
import { qpdfCheck } from '../support/look.js';

const hasGhostscript = spawnSync('gs', ['--version']).status === 0;
/** Not asked for its version: that starts Java. */
const hasVeraPdf = (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, 'verapdf')));
const note = { name: 'note.txt', bytes: new TextEncoder().encode('ours') };
const handbook = async (): Promise<FormFile> => ({
  name: 'handbook.pdf',
  bytes: new Uint8Array(await readFile(new URL('../../../general/fixtures/handbook.pdf', import.meta.url))),
});

describe('add-attachments with convertToPdfA3b', function () {
  this.timeout(60_000);
  let server: QuireServer;
  let url: string;
  before(async function () {
    if (!hasGhostscript) return this.skip();
    server = await createTestServer({ plugins: ['@quire/plugin-misc'] });
    url = await server.start();
  });
  after(() => server?.stop());
  const call = (file: FormFile, base = url): Promise<OperationAnswer> =>
    callOperation(base, {
      path: 'misc/add-attachments',
      files: [file],
      parts: { attachments: [note] },
      params: { convertToPdfA3b: true },
    });

  let converted: Promise<OperationAnswer> | undefined;
  /** The answer for the handbook, asked for once: each conversion starts Ghostscript and Java. */
  const convertedHandbook = (): Promise<OperationAnswer> => (converted ??= handbook().then((file) => call(file)));

  it('produces PDF/A-3b with an output intent, and associates every file', async () => {
    const answer = await convertedHandbook();
    expect([answer.status, answer.fileName]).to.deep.equal([200, 'handbook_with_attachments_PDFA-3b.pdf']);
    expect(JSON.parse(answer.headers.get('x-tool-report') ?? '')).to.include({
      converted: true,
      attached: 1,
      replaced: 0,
      withdrawn: false,
      lost: 0,
      droppedAnnotations: 0,
    });
    const { catalog, context } = await PDFDocument.load(answer.bytes, { updateMetadata: false });
    expect(
      catalog.lookup(PDFName.of('OutputIntents'), PDFArray).lookup(0, PDFDict).lookup(PDFName.of('S'))?.toString(),
    ).to.equal('/GTS_PDFA1');
    const specs = context
      .enumerateIndirectObjects()
      .flatMap(([ref, object]) =>
        object instanceof PDFDict && object.lookup(PDFName.of('Type'))?.toString() === '/Filespec'
          ? [[ref, object] as const]
          : [],
      );
    expect(specs).to.have.length(2);
    for (const [ref, spec] of specs) {
      expect(catalog.lookup(PDFName.of('AF'), PDFArray).asArray()).to.include(ref);
      expect(['F', 'UF', 'AFRelationship', 'EF'].every((key) => spec.has(PDFName.of(key)))).to.equal(true);
    }
    expect(await qpdfCheck(answer.bytes)).to.equal('');
  });

  it('produces what veraPDF accepts as PDF/A-3b, whatever was drawn and attached before', async function () {
    if (!hasVeraPdf) return this.skip();
    const folder = await mkdtemp(join(tmpdir(), 'quire-pdfa-'));
    try {
      const own = async (name: string): Promise<FormFile> => ({
        name,
        bytes: new Uint8Array(await readFile(new URL(`../../fixtures/${name}`, import.meta.url))),
      });
      const others = [await own('attached.pdf'), await own('images.pdf')];
      const files = [await handbook(), ...others];
      await writeFile(join(folder, 'handbook.pdf'), (await convertedHandbook()).bytes);
      for (const file of others) await writeFile(join(folder, file.name), (await call(file)).bytes);
      const { stdout } = spawnSync(
        'verapdf',
        ['--format', 'text', '--loglevel', '0', ...files.map(({ name }) => name)],
        { cwd: folder, encoding: 'utf8', env: { ...process.env, JDK_JAVA_OPTIONS: '-XX:TieredStopAtLevel=1' } },
      );
      expect(
        stdout
          .trim()
          .split('\n')
          .map((line) => line.replace(`${folder}/`, '')),
      ).to.have.members(files.map(({ name }) => `PASS ${name} 3b`));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('keeps text, bookmarks, page labels and metadata, consistent with XMP', async () => {
    const source = await handbook();
    const document = await PDFDocument.load(source.bytes, { updateMetadata: false });
    document.setTitle('Ein Handbuch – 手引き');
    document.setAuthor('Ünal');
    document.catalog.set(PDFName.of('Lang'), PDFHexString.fromText('de-DE'));
    const input = { name: 'handbook.pdf', bytes: await document.save() };
    const answer = await call(input);
    const facts = (bytes: Uint8Array) =>
      withPdf(bytes, {}, ({ document: { context }, pages }) => ({
        title: documentTitle(context),
        labels: readPageLabels(context, pages.length),
        outlines: readOutlines(context).map((node) => outlineTitle(context, node)),
        language: context.lookup(context.trailerInfo.Root, PDFDict).lookup(PDFName.of('Lang'))?.toString(),
      }));
    const [before, after] = [await facts(input.bytes), await facts(answer.bytes)];
    expect(after).to.deep.equal(before);
    const xmp = await withPdf(answer.bytes, {}, ({ document: { context } }) => readXmp(context) ?? '');
    expect(xmp)
      .to.contain('Ein Handbuch – 手引き')
      .and.to.contain('Ünal')
      .and.to.contain('Quire')
      .and.not.to.match(/Untitled|UnknownApplication|Ghostscript/);
    expect((await readPdf(answer.bytes)).text.map((text) => text.trim())).to.deep.equal(
      (await readPdf(input.bytes)).text.map((text) => text.trim()),
    );
  });

  it('renders the pages of a portfolio but not its files, and keeps it a portfolio', async () => {
    const document = await PDFDocument.create({ updateMetadata: false });
    document.addPage([200, 200]);
    await document.attach(await makePdf({ pages: 3, text: ['a', 'b', 'c'] }), 'inner.pdf');
    document.catalog.set(PDFName.of('Collection'), document.context.obj({ Type: 'Collection', View: 'T' }));
    const answer = await call({ name: 'portfolio.pdf', bytes: await document.save() });
    const result = await PDFDocument.load(answer.bytes, { updateMetadata: false });
    expect([answer.status, result.getPageCount(), result.catalog.has(PDFName.of('Collection'))]).to.deep.equal([
      200,
      1,
      true,
    ]);
    expect(JSON.parse(answer.headers.get('x-tool-report') ?? '')).to.include({ lost: 0 });
  });

  it('drops annotations without an appearance, and reports how many', async () => {
    const document = await PDFDocument.create({ updateMetadata: false });
    const { context } = document;
    document.addPage([200, 200]).node.set(
      PDFName.of('Annots'),
      context.obj(
        [
          { Type: 'Annot', Subtype: 'Square', Rect: [0, 0, 50, 50], F: 4 },
          {
            Type: 'Annot',
            Subtype: 'Link',
            Rect: [0, 0, 50, 50],
            F: 4,
            A: { S: 'URI', URI: PDFHexString.fromText('https://example.org') },
          },
        ].map((annotation) => context.register(context.obj(annotation as never))),
      ),
    );
    const answer = await call({ name: 'a.pdf', bytes: await document.save() });
    expect(JSON.parse(answer.headers.get('x-tool-report') ?? '')).to.include({ droppedAnnotations: 1 });
    expect((await PDFDocument.load(answer.bytes, { updateMetadata: false })).getPage(0).node.Annots()?.size()).to.equal(
      1,
    );
  });

  it('does not convert a document that is already PDF/A-3', async () => {
    const once = await convertedHandbook();
    const twice = await callOperation(url, {
      path: 'misc/add-attachments',
      files: [{ name: 'a.pdf', bytes: once.bytes }],
      parts: { attachments: [{ name: 'b.txt', bytes: note.bytes }] },
      params: { convertToPdfA3b: true },
    });
    expect(JSON.parse(twice.headers.get('x-tool-report') ?? '')).to.include({ converted: false, attached: 1 });
    expect(await withPdf(twice.bytes, {}, ({ document: { context } }) => readClaims(context).get('PDF/A'))).to.match(
      /^3\|B/,
    );
  });

  it('returns 503 naming Ghostscript if that is needed but missing, and attaches without it otherwise', async () => {
    const bare = await createTestServer({
      plugins: ['@quire/plugin-misc'],
      settings: { endpoints: { groupsToRemove: ['Ghostscript', 'veraPDF'] } },
    });
    try {
      const base = await bare.start();
      const answer = await call(await handbook(), base);
      expect([answer.status, answer.code]).to.deep.equal([503, 'PROGRAM_MISSING']);
      expect(answer.json<{ detail: string }>().detail).to.contain('ghostscript');
      expect(
        (
          await callOperation(base, {
            path: 'misc/add-attachments',
            files: [await handbook()],
            parts: { attachments: [note] },
          })
        ).status,
      ).to.equal(200);
    } finally {
      await bare.stop();
    }
  });

  it('declares nothing if veraPDF rejects the result, and reports it', async function () {
    if (!hasVeraPdf) return this.skip();
    const document = await PDFDocument.create({ updateMetadata: false });
    // PDF/A forbids pages of less than three units (ISO 19005-3, 6.1.13).
    document.addPage([2, 2]);
    const answer = await call({ name: 'tiny.pdf', bytes: await document.save() });
    expect(JSON.parse(answer.headers.get('x-tool-report') ?? '')).to.include({
      checked: true,
      compliant: false,
      attached: 1,
    });
    expect(await withPdf(answer.bytes, {}, ({ document: { context } }) => readClaims(context).has('PDF/A'))).to.equal(
      false,
    );
  });
});
