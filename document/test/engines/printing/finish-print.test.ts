import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateSync, inflateSync } from 'node:zlib';
import { expect } from 'chai';
import { PDFDict, PDFDocument, PDFName, PDFRawStream, type PDFRef } from 'pdf-lib';
import { finishExport, finishPrint } from '../../../engines/printing/index.js';
import { inspectPdf } from '../../../file/inspection/index.js';
import { openPdf } from '../../../file/open/index.js';
import { pictureHashes } from '../../checks/pictures.js';
import { portraitOf } from '../../checks/portrait.js';

/** Printed by Chromium with tables, tagged. */
const BROWSER_PRINT = fileURLToPath(new URL('../../fixtures/tables/browser.pdf', import.meta.url));
const LENGTH1 = PDFName.of('Length1');
const NOW = new Date('2026-11-29T12:00:00Z');

/** A tagged document of version 1.4 with many structure elements, as a browser prints it: with a table, unpacked. */
async function printed(): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const { context } = document;
  const page = document.addPage([300, 300]);
  const [root, body] = [context.nextRef(), context.nextRef()];
  const paragraphs: PDFRef[] = Array.from({ length: 300 }, (_, n) =>
    context.register(context.obj({ Type: 'StructElem', S: 'P', P: body, Pg: page.ref, K: n })),
  );
  context.assign(body, context.obj({ Type: 'StructElem', S: 'Document', P: root, K: paragraphs }));
  context.assign(root, context.obj({ Type: 'StructTreeRoot', K: body }));
  document.catalog.set(PDFName.of('StructTreeRoot'), root);
  document.catalog.set(PDFName.of('MarkInfo'), context.obj({ Marked: true }));
  page.drawText('text');
  const bytes = Buffer.from(await document.save({ useObjectStreams: false }));
  bytes.write('%PDF-1.4', 'latin1');
  return bytes;
}

describe('finishing what another program wrote', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-finish-'));
    await writeFile(join(folder, 'in.pdf'), await printed());
  });
  after(() => rm(folder, { recursive: true }));

  for (const [name, finish] of Object.entries({
    finishPrint: (from: string, to: string) => finishPrint(from, to, { title: 'A title', modified: NOW }),
    finishExport: (from: string, to: string) => finishExport(from, to, NOW),
  }))
    it(`packs the tags of the output of ${name} and keeps them all`, async () => {
      const [from, to] = [join(folder, 'in.pdf'), join(folder, `${name}.pdf`)];
      await finish(from, to);
      const [before, after] = [await readFile(from), await readFile(to)];
      expect(before.length / after.length).to.be.above(4);
      expect(after.toString('latin1', 0, 8)).to.equal('%PDF-1.5');
      expect((await inspectPdf({ path: to })).pages).to.equal(1);
      const document = await PDFDocument.load(after, { updateMetadata: false });
      const elements = document.context
        .enumerateIndirectObjects()
        .filter(([, object]) => object instanceof PDFDict && object.get(PDFName.of('S')) === PDFName.of('P'));
      expect(elements).to.have.length(300);
      expect(document.catalog.get(PDFName.of('MarkInfo'))?.toString()).to.include('true');
      expect(document.getTitle()).to.equal(name === 'finishPrint' ? 'A title' : undefined);
      expect(document.getProducer()).to.equal('Quire');
    });

  it('makes the print of a browser smaller, and its fonts, which draw the same text with the same tags', async () => {
    const [from, to] = [BROWSER_PRINT, join(folder, 'browser.pdf')];
    await finishPrint(from, to, { title: 'Tables', modified: NOW });
    const [before, after] = await Promise.all([from, to].map(async (path) => readFile(path)));
    expect((after?.length ?? 0) / (before?.length ?? 0)).to.be.below(0.62);
    const [printedNow, finished] = await Promise.all([before, after].map((bytes) => openPdf(bytes ?? Buffer.alloc(0))));
    if (printedNow === undefined || finished === undefined) throw new Error('both are open');
    const [was, is] = [printedNow, finished].map(({ document, pages }) => portraitOf(document.context, pages));
    expect(is).to.deep.equal(was);
    expect(is?.elements).not.to.deep.equal([]);
    expect(await pictureHashes(after ?? Buffer.alloc(0), 3)).to.deep.equal(
      await pictureHashes(before ?? Buffer.alloc(0), 3),
    );
    const tables = [printedNow, finished].map(({ document: { context } }) =>
      context
        .enumerateIndirectObjects()
        .flatMap(([, object]) => (object instanceof PDFRawStream && object.dict.has(LENGTH1) ? [object] : []))
        .map((font) => {
          const program = inflateSync(font.contents);
          expect(String(font.dict.get(LENGTH1))).to.equal(String(program.length));
          return Array.from({ length: program.readUInt16BE(4) }, (_, i) =>
            program.toString('latin1', 12 + i * 16, 16 + i * 16),
          );
        }),
    );
    expect(tables.map((fonts) => fonts.length)).to.deep.equal([3, 3]);
    expect(tables[0]?.every((names) => names.includes('name') && names.includes('OS/2'))).to.equal(true);
    for (const names of tables[1] ?? []) {
      expect(names).to.include.members(['cmap', 'fpgm', 'glyf', 'head', 'hhea', 'hmtx', 'loca', 'maxp', 'prep']);
      expect(names).not.to.include.members(['name']).and.not.to.include.members(['OS/2']);
    }
  });

  it('keeps the text of a page as the browser has deflated it', async () => {
    const document = await PDFDocument.create({ updateMetadata: false });
    const text = Buffer.from(Array.from({ length: 400 }, (_, n) => `0 ${n * 7} ${n % 13} ${n % 90} re f`).join('\n'));
    const [deflated, bare] = [deflateSync(text), Buffer.concat([text, Buffer.from('\n')])];
    for (const [data, entries] of [
      [deflated, { Filter: 'FlateDecode' }],
      [bare, {}],
    ] as const) {
      const stream = PDFRawStream.of(document.context.obj(entries) as PDFDict, data);
      document.addPage([300, 300]).node.set(PDFName.of('Contents'), document.context.register(stream));
    }
    const [from, to] = [join(folder, 'text.pdf'), join(folder, 'text-out.pdf')];
    await writeFile(from, await document.save({ useObjectStreams: false }));
    await finishPrint(from, to, { title: undefined, modified: NOW });
    const after = await PDFDocument.load(await readFile(to), { updateMetadata: false });
    const contents = after.getPages().map(({ node }) => (node.Contents() as PDFRawStream).contents);
    expect(Buffer.from(contents[0] ?? []).equals(deflated)).to.equal(true);
    expect(inflateSync(contents[1] ?? new Uint8Array()).equals(bare)).to.equal(true);
    expect(contents[1]?.length).to.be.below(bare.length / 2);
  });
});
