import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFDocument,
  PDFName,
  PDFNumber,
  type PDFObject,
  type PDFRawStream,
  PDFRef,
  PDFString,
  StandardFonts,
} from 'pdf-lib';
import { DocumentError } from '../../../errors.js';
import { type LazyDocument, countPages, openLazily } from '../../../file/reader/index.js';
import { FileSink, MemorySink, type RewriteOptions, rewriteBytes, rewriteTo } from '../../../file/writer/index.js';
import { hasQpdf, qpdfSays } from '../encryption/support.js';
import { TWO_PAGES, latin1, plain, streamText } from '../reader/support.js';
import { difference } from './same-document.js';

const name = (text: string): PDFName => PDFName.of(text);
const TEXT = latin1(Array.from({ length: 200 }, (_, i) => `${(i * i) % 97} ${(i * 31) % 89} m 100 ${i} l S `).join(''));

function context(objects: Readonly<Record<number, string>>): PDFContext {
  return openLazily(latin1(plain(objects))).context;
}

function rewritten(source: PDFContext, options?: RewriteOptions): LazyDocument {
  const document = openLazily(rewriteBytes(source, options));
  expect(document.recovered).to.equal(false);
  return document;
}

const numbers = (document: LazyDocument): number[] =>
  [...document.references()].map((ref) => ref.objectNumber).sort((a, b) => a - b);

/** How many objects each object stream of the file contains. */
function objectsPerStream(document: LazyDocument): number[] {
  const streams = new Map<number, number>();
  for (const number of numbers(document)) {
    const entry = document.entry(number);
    if (entry?.kind === 'in') streams.set(entry.stream, (streams.get(entry.stream) ?? 0) + 1);
  }
  return [...streams.values()];
}

function streamOf(document: LazyDocument, key: string): PDFRawStream {
  const catalog = document.context.lookup(document.context.trailerInfo.Root, PDFDict);
  return document.context.lookup(catalog.get(name(key))) as PDFRawStream;
}

describe('rewriting', () => {
  it('drops unreachable objects and numbers the rest: catalog, page tree and pages first', () => {
    const source = context({
      2: '<</Type/Catalog/Outlines 12 0 R/Pages 20 0 R>>',
      5: '(nobody wants this)',
      12: '<</First 40 0 R/Last 40 0 R>>',
      20: '<</Type/Pages/Count 2/Kids[31 0 R 30 0 R]>>',
      30: '<</Type/Page/Parent 20 0 R/MediaBox[0 0 9 9]/Contents 50 0 R>>',
      31: '<</Type/Page/Parent 20 0 R/MediaBox[0 0 9 9]/Contents 51 0 R>>',
      40: '<</Title(t)/Parent 12 0 R>>',
      50: streamText('', latin1('second')),
      51: streamText('', latin1('first')),
    });
    source.trailerInfo.Root = PDFRef.of(2);
    const document = rewritten(source, { objectStreams: false });
    expect(numbers(document)).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(document.context.trailerInfo.Root?.toString()).to.equal('1 0 R');
    expect((document.lookup(PDFRef.of(2)) as PDFDict).get(name('Kids'))?.toString()).to.equal('[ 3 0 R 4 0 R ]');
    const place = (number: number): number => {
      const entry = document.entry(number);
      return entry?.kind === 'at' ? entry.position : 0;
    };
    const first = (document.lookup(PDFRef.of(3)) as PDFDict).get(name('Contents')) as PDFRef;
    expect(Buffer.from((document.lookup(first) as PDFRawStream).contents).toString()).to.equal('first');
    expect(place(3) < place(first.objectNumber) && place(first.objectNumber) < place(4)).to.equal(true);
    expect(difference(source, document.context)).to.equal(undefined);
  });

  it('writes null, or no entry, for dangling references, and follows chains of references', () => {
    const document = rewritten(
      context({
        ...TWO_PAGES,
        1: '<</Type/Catalog/Pages 2 0 R/Gone 9 0 R/List[9 0 R 6 0 R null]/Also 7 0 R>>',
        6: '7 0 R',
        7: '(far)',
        8: '8 0 R',
      }),
    );
    const catalog = document.lookup(PDFRef.of(1)) as PDFDict;
    expect(catalog.has(name('Gone'))).to.equal(false);
    const list = catalog.lookup(name('List'), PDFArray);
    expect(list.toString()).to.equal(`[ null ${String(catalog.get(name('Also')))} null ]`);
    expect((catalog.lookup(name('Also')) as PDFString).asString()).to.equal('far');
  });

  it('makes an indirect /Length direct, and drops its number', () => {
    const document = rewritten(
      context({
        ...TWO_PAGES,
        1: '<</Type/Catalog/Pages 2 0 R/S 5 0 R>>',
        5: '<</Length 6 0 R>>\nstream\nhello\nendstream',
        6: '5',
      }),
      { objectStreams: false },
    );
    expect(streamOf(document, 'S').dict.get(name('Length'))?.toString()).to.equal('5');
    expect(numbers(document)).to.have.length(5);
  });

  it('packs up to two hundred objects into each object stream, never streams or signatures', () => {
    const many = Object.fromEntries(Array.from({ length: 450 }, (_, i) => [10 + i, `<</N ${i}>>`]));
    const list = Object.keys(many)
      .map((number) => `${number} 0 R`)
      .join(' ');
    const document = rewritten(
      context({
        ...TWO_PAGES,
        ...many,
        1: `<</Type/Catalog/Pages 2 0 R/S 5 0 R/Sig 6 0 R/Many[${list}]>>`,
        5: streamText('', TEXT),
        6: '<</Type/Sig/ByteRange[0 1 2 3]/Contents<00>>>',
      }),
      { objectStreams: true },
    );
    expect(objectsPerStream(document)).to.deep.equal([200, 200, 54]);
    const signature = (document.lookup(PDFRef.of(1)) as PDFDict).get(name('Sig')) as PDFRef;
    expect(document.entry(signature.objectNumber)?.kind).to.equal('at');
    expect(document.crossReference?.form).to.equal('stream');
  });

  it('ends an object stream early where its objects are long', () => {
    const many = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [10 + i, `(${String(i).repeat(10_000)})`]));
    const list = Object.keys(many)
      .map((number) => `${number} 0 R`)
      .join(' ');
    const objects = { ...TWO_PAGES, ...many, 1: `<</Type/Catalog/Pages 2 0 R/Many[${list}]>>` };
    expect(objectsPerStream(rewritten(context(objects), { objectStreams: true }))).to.deep.equal([8, 4, 2]);
  });

  it('numbers objects in the order in which it writes them, level by level', () => {
    const objects = {
      ...TWO_PAGES,
      1: '<</Type/Catalog/Pages 2 0 R/Tree 10 0 R>>',
      10: '<</Is(root)/K[11 0 R 14 0 R]>>',
      11: '<</Is(first)/K[12 0 R 13 0 R]>>',
      12: '<</Is(first of first)/Up 11 0 R>>',
      13: '<</Is(second of first)/Up 11 0 R>>',
      14: '<</Is(second)/K[15 0 R]>>',
      15: '<</Is(first of second)/Up 14 0 R>>',
    };
    const document = rewritten(context(objects), { objectStreams: true });
    const named = numbers(document).flatMap((number) => {
      const object = document.lookup(PDFRef.of(number));
      const is = object instanceof PDFDict ? object.lookup(name('Is')) : undefined;
      const entry = document.entry(number);
      return is instanceof PDFString && entry?.kind === 'in' ? [[is.asString(), entry.index] as const] : [];
    });
    expect(named.map(([is]) => is)).to.deep.equal([
      'root',
      'first',
      'second',
      'first of first',
      'second of first',
      'first of second',
    ]);
    const places = named.map(([, index]) => index);
    expect(places).to.deep.equal(places.toSorted((a, b) => a - b));
  });

  it('packs the same objects at every level', () => {
    const many = Object.fromEntries(Array.from({ length: 90 }, (_, i) => [10 + i, `<</N ${i}/Text(Number ${i})>>`]));
    const list = Object.keys(many)
      .map((number) => `${number} 0 R`)
      .join(' ');
    const objects = { ...TWO_PAGES, ...many, 1: `<</Type/Catalog/Pages 2 0 R/Many[${list}]>>` };
    const written = [1, 6, 9, undefined].map((level) =>
      rewriteBytes(context(objects), { objectStreams: true, ...(level === undefined ? {} : { level }) }),
    );
    const [fast, , small, usual] = written;
    expect(fast).not.to.deep.equal(small);
    expect(usual).to.deep.equal(small);
    const texts = written.map((bytes) => {
      const document = openLazily(bytes);
      return [...document.references()].map((ref) => {
        const object = document.lookup(ref);
        return object instanceof PDFDict ? object.toString() : '';
      });
    });
    for (const text of texts) expect(text).to.deep.equal(texts[0]);
  });

  it('writes a table for old versions, and raises the version when object streams are requested', () => {
    const source = context(TWO_PAGES);
    const old = latin1(plain(TWO_PAGES).replace('%PDF-1.7', '%PDF-1.3'));
    const head = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1', 0, 8);
    const kept = rewriteBytes(openLazily(old).context);
    expect([head(kept), openLazily(kept).crossReference?.form]).to.deep.equal(['%PDF-1.3', 'table']);
    const raised = rewriteBytes(openLazily(old).context, { objectStreams: true });
    expect([head(raised), openLazily(raised).crossReference?.form]).to.deep.equal(['%PDF-1.5', 'stream']);
    expect(head(rewriteBytes(source, { version: '2.0' }))).to.equal('%PDF-2.0');
    expect(head(rewriteBytes(source, { version: '1.4' }))).to.equal('%PDF-1.7');
    expect(head(rewriteBytes(source, { version: '1.10' }))).to.equal('%PDF-1.7');
  });

  it('packs by default from version 1.5 on, but never a document that claims PDF/A-1', () => {
    const claiming = (part: number): PDFContext =>
      context({
        ...TWO_PAGES,
        1: '<</Type/Catalog/Pages 2 0 R/Metadata 5 0 R>>',
        5: streamText(
          '/Type/Metadata/Subtype/XML',
          latin1(
            '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
              '<rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" ' +
              `pdfaid:part="${part}" pdfaid:conformance="B"/></rdf:RDF></x:xmpmeta>`,
          ),
        ),
      });
    const form = (source: PDFContext, options?: RewriteOptions): string | undefined =>
      rewritten(source, options).crossReference?.form;
    expect(form(context(TWO_PAGES))).to.equal('stream');
    expect(form(claiming(2))).to.equal('stream');
    expect(form(claiming(1))).to.equal('table');
    expect(form(claiming(1), { version: '1.7' })).to.equal('table');
  });

  it('deflates the cross-reference stream unless it has a few rows only', () => {
    for (const [pages, deflated] of [
      [2, false],
      [40, true],
    ] as const) {
      const kids = Array.from({ length: pages }, (_, i) => [i + 3, '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>']);
      const list = kids.map(([number]) => `${number} 0 R`).join(' ');
      const bytes = rewriteBytes(
        context({
          1: '<</Type/Catalog/Pages 2 0 R>>',
          2: `<</Type/Pages/Count ${pages}/Kids[${list}]>>`,
          ...Object.fromEntries(kids),
        }),
        { objectStreams: true },
      );
      const dict = /<<\/Type\/XRef[^]*?stream/.exec(Buffer.from(bytes).toString('latin1'))?.[0] ?? '';
      expect(dict.includes('/FlateDecode'), dict).to.equal(deflated);
      expect(countPages(openLazily(bytes))).to.equal(pages);
      if (hasQpdf) expect(qpdfSays(bytes, '--check')).to.match(/No syntax or stream encoding errors/);
    }
  });

  it('keeps the first half of the identifier and derives the second from the content', () => {
    const id = (document: LazyDocument): string[] =>
      [...(document.trailer.get(name('ID'))?.toString() ?? '').matchAll(/[\da-f]{32}/g)].map(([half]) => half);
    const source = openLazily(latin1(plain(TWO_PAGES, '/ID[<00112233445566778899aabbccddeeff><ff>]'))).context;
    const [first, second] = id(rewritten(source));
    expect(first).to.equal('00112233445566778899aabbccddeeff');
    expect(id(rewritten(source))).to.deep.equal([first, second]);
    (source.lookup(PDFRef.of(3)) as PDFDict).set(name('Rotate'), PDFNumber.of(90));
    expect(id(rewritten(source))[1]).to.not.equal(second);
    expect(id(rewritten(context(TWO_PAGES)))).to.have.length(2);
  });

  it('writes objects that pdf-lib creates: fonts, drawings, odd numbers and strings', async () => {
    const made = await PDFDocument.create();
    const page = made.addPage([200, 200]);
    page.drawText('hello', { font: await made.embedFont(StandardFonts.Helvetica) });
    page.node.set(name('Odd'), made.context.obj([1e-9, -2.5, 1e21, 0.1, true, null]));
    page.node.set(name('a b/#é'), PDFString.of('one ) too many'));
    page.node.set(name('Open'), PDFString.of('back\\'));
    await made.flush();
    const bytes = rewriteBytes(made.context);
    const document = openLazily(bytes);
    const again = document.lookup(PDFRef.of(3)) as PDFDict;
    expect(again.get(name('Odd'))?.toString()).to.equal('[ 0.000000001 -2.5 1000000000000000000000 0.1 true null ]');
    expect((again.get(name('a b/#é')) as PDFString).decodeText()).to.equal('one ) too many');
    expect(Buffer.from((again.get(name('Open')) as PDFString).asBytes()).toString()).to.equal('back\\');
    if (hasQpdf) expect(qpdfSays(bytes, '--check')).to.include('No syntax');
    expect((await PDFDocument.load(bytes)).getPageCount()).to.equal(1);
  });

  it('handles an object with very many references, and chains of any length', function () {
    this.timeout(60_000);
    const source = context(TWO_PAGES);
    const many = source.obj([]) as PDFArray;
    for (let i = 0; i < 130_000; i++) many.push(source.register(PDFNumber.of(i)));
    let chain = source.register(source.obj({}));
    for (let i = 0; i < 5000; i++) chain = source.register(source.obj({ Next: chain }));
    (source.lookup(PDFRef.of(1)) as PDFDict).set(name('Many'), source.register(many));
    (source.lookup(PDFRef.of(1)) as PDFDict).set(name('Chain'), chain);
    const sink = new MemorySink();
    expect(rewriteTo(sink, source).objects).to.equal(135_006);
    expect(difference(source, openLazily(sink.bytes()).context)).to.equal(undefined);
  });

  it('rejects a document without a catalog, and objects that contain themselves', () => {
    const source = context(TWO_PAGES);
    const circle = source.obj([]) as PDFArray;
    circle.push(circle as PDFObject);
    (source.lookup(PDFRef.of(3)) as PDFDict).set(name('Circle'), circle);
    expect(() => rewriteBytes(source))
      .to.throw(DocumentError)
      .with.property('code', 'PDF_NESTING');
    source.trailerInfo.Root = PDFRef.of(99);
    expect(() => rewriteBytes(source))
      .to.throw(DocumentError)
      .with.property('code', 'PDF_DAMAGED');
  });
});

describe('sinks', () => {
  let folder = '';
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'sink-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('write the same bytes to a file and to memory, for any size of pieces', () => {
    const file = FileSink.create(join(folder, 'a'));
    const memory = new MemorySink();
    const pieces = [0, 1, 70_000, 3, 600_000, 65_536, 65_535, 100_000, 7].map((size, i) => Buffer.alloc(size, i + 1));
    for (const sink of [file, memory]) {
      for (const piece of pieces) {
        const changing = Buffer.from(piece);
        sink.write(changing);
        changing.fill(0);
      }
      expect(sink.position).to.equal(Buffer.concat(pieces).length);
    }
    file.close();
    expect(readFileSync(join(folder, 'a')).equals(Buffer.concat(pieces))).to.equal(true);
    expect(Buffer.from(memory.bytes()).equals(Buffer.concat(pieces))).to.equal(true);
    memory.write(latin1('more'));
    expect(memory.bytes().length).to.equal(Buffer.concat(pieces).length + 4);
  });

  it('create private files, never overwrite one, and leave none behind when discarded', () => {
    const path = join(folder, 'a.pdf');
    const sink = FileSink.create(path);
    rewriteTo(sink, context(TWO_PAGES));
    sink.close();
    expect(statSync(path).mode & 0o777).to.equal(0o600);
    expect(countPages(openLazily(readFileSync(path)))).to.equal(2);
    expect(() => FileSink.create(path)).to.throw('EEXIST');
    expect(() => FileSink.copyOf(path, path)).to.throw('EEXIST');
    writeFileSync(join(folder, 'b'), 'b');
    const copy = FileSink.copyOf(join(folder, 'b'), join(folder, 'c'));
    expect(copy.position).to.equal(1);
    expect(statSync(join(folder, 'c')).mode & 0o777).to.equal(0o600);
    copy.discard();
    expect(existsSync(join(folder, 'c'))).to.equal(false);
  });
});
