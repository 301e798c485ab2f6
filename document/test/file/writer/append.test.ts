import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, readSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PDFDict, PDFDocument, PDFName, PDFNumber, type PDFRawStream, PDFRef, PDFString } from 'pdf-lib';
import { walkPages } from '../../../structure/pages/index.js';
import { type LazyDocument, countPages, openLazily } from '../../../file/reader/index.js';
import { FileSink, MemorySink, appendBytes, appendTo } from '../../../file/writer/index.js';
import { type Place, TWO_PAGES, crossReferenceStream, latin1, layOut, streamText, table } from '../reader/support.js';

const name = (text: string): PDFName => PDFName.of(text);
const latin1Text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
const hasQpdf = spawnSync('qpdf', ['--version']).status === 0;

function tableFile(trailer = ''): Uint8Array {
  const { text, places } = layOut(TWO_PAGES);
  return latin1(text + table(text.length, places, `/Size 5/Root 1 0 R${trailer}`));
}

function streamFile(): Uint8Array {
  const { text, places } = layOut(TWO_PAGES);
  const section = crossReferenceStream(5, new Map([...places, [5, text.length]]), '/Size 6/Root 1 0 R');
  return latin1(`${text}${section}startxref\n${text.length}\n%%EOF`);
}

/** Rotates every page and adds an object, by append. */
function turned(source: Uint8Array): Uint8Array {
  const document = openLazily(source);
  for (const page of walkPages(document.context)) {
    page.dict.set(PDFName.of('Rotate'), PDFNumber.of(90));
  }
  const [page] = walkPages(document.context);
  page?.dict.set(PDFName.of('Note'), document.context.register(PDFString.of('new')));
  return appendBytes(document);
}

function complaint(bytes: Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), 'writer-'));
  try {
    const path = join(folder, 'a.pdf');
    writeFileSync(path, bytes);
    return execFileSync('qpdf', ['--check', path], { encoding: 'utf8', stdio: 'pipe' }).includes('No syntax')
      ? ''
      : 'odd answer';
  } catch (error) {
    return `${String(error)} ${String((error as { stdout?: unknown }).stdout)}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('appending changes', () => {
  it('does not count objects that are only referenced, so that the size stays right', () => {
    const document = openLazily(tableFile('/Spoken 5 0 R/Info 9 0 R'));
    walkPages(document.context)[0]?.dict.set(PDFName.of('Rotate'), PDFNumber.of(90));
    expect(latin1Text(appendBytes(document))).to.match(
      /trailer\s*<<\/Size 5\/Root[^>]*>>\s*startxref\s*\d+\s*%%EOF\s*$/,
    );
  });

  it('rewrites an object whose dangling reference would name an added object', () => {
    const { text, places } = layOut({ ...TWO_PAGES, 5: '<</A 6 0 R/B 7 0 R>>' });
    for (const all of [true, false]) {
      const document = openLazily(latin1(text + table(text.length, places, '/Size 6/Root 1 0 R')));
      const [page] = walkPages(document.context);
      page?.dict.set(PDFName.of('Note'), document.context.register(PDFString.of('new')));
      document.lookup(PDFRef.of(5));
      const result = openLazily(appendBytes(document, all || page === undefined ? {} : { changed: [page.ref] }));
      expect(result.lookup(PDFRef.of(6))).to.be.instanceOf(PDFString);
      expect(result.lookup(PDFRef.of(5))?.toString().replace(/\s+/g, ' ')).to.equal('<< /B 7 0 R >>');
    }
  });

  for (const [name, source] of [
    ['a table', tableFile()],
    ['a stream', streamFile()],
  ] as const) {
    it(`continues ${name} in its own form, and keeps the original bytes`, async () => {
      const result = turned(source);
      expect(Buffer.from(result.subarray(0, source.length)).equals(source)).to.equal(true);
      const again = openLazily(result);
      expect(again.recovered).to.equal(false);
      expect(again.crossReference?.form).to.equal(openLazily(source).crossReference?.form);
      expect(again.crossReference?.revisions).to.have.length(2);
      expect(countPages(again)).to.equal(2);
      expect(walkPages(again.context).map(({ dict }) => dict.get(PDFName.of('Rotate'))?.toString())).to.deep.equal([
        '90',
        '90',
      ]);
      expect((await PDFDocument.load(result)).getPages().map((page) => page.getRotation().angle)).to.deep.equal([
        90, 90,
      ]);
      if (hasQpdf) expect(complaint(result)).to.equal('');
    });
  }

  it('can be repeated', () => {
    const result = turned(turned(turned(streamFile())));
    expect(openLazily(result).crossReference?.revisions).to.have.length(4);
    expect(countPages(openLazily(result))).to.equal(2);
  });

  it('keeps the first half of the identifier and changes the second', () => {
    const id = (bytes: Uint8Array): string | undefined => openLazily(bytes).trailer.get(PDFName.of('ID'))?.toString();
    const result = turned(tableFile('/ID[<00112233445566778899aabbccddeeff><00112233445566778899aabbccddeeff>]'));
    expect(id(result)).to.match(/^\[ <00112233445566778899aabbccddeeff> <[\da-f]{32}> \]$/);
    expect(id(result)).not.to.match(/<0011.*<0011/);
  });

  it('gives unused numbers to new objects', () => {
    const document = openLazily(turned(tableFile()));
    expect(document.context.nextRef().objectNumber).to.equal(6);
    expect((document.lookup(PDFRef.of(5)) as PDFString).decodeText()).to.equal('new');
  });

  it('writes the whole cross-reference when the original has none to continue', () => {
    const file = Buffer.from(tableFile()).toString('latin1');
    for (const broken of [
      file.slice(0, file.lastIndexOf('xref\n0 1')),
      file.replace('3 0 obj', '   \n  3 0 obj').replace('4 0 obj', 'junk 4 0 obj'),
    ]) {
      const result = turned(latin1(broken));
      expect(openLazily(result).recovered).to.equal(false);
      expect(countPages(openLazily(result))).to.equal(2);
      if (hasQpdf) expect(complaint(result)).to.equal('');
    }
  });

  it('counts offsets from the header, as the original does', () => {
    const result = turned(Buffer.concat([latin1('junk before\n'), tableFile()]));
    expect(openLazily(result).recovered).to.equal(false);
    expect(openLazily(result).crossReference?.revisions).to.have.length(2);
  });

  it('finds changes itself, and appends nothing without changes', () => {
    const source = tableFile('/Info 9 0 R');
    const document = openLazily(source);
    const [first, second] = walkPages(document.context);
    // Read, set to the same value, replaced by an equal object: none of it is a change.
    second?.dict.set(name('MediaBox'), document.context.obj([0, 0, 100, 100]));
    document.context.assign(
      PDFRef.of(2),
      document.context.obj({ Kids: [PDFRef.of(3), PDFRef.of(4)], Type: 'Pages', Count: 2, Nothing: null }),
    );
    document.context.register(PDFString.of('nobody leads here'));
    expect(Buffer.from(appendBytes(document)).equals(source)).to.equal(true);
    first?.dict.set(name('Rotate'), PDFNumber.of(90));
    const sink = new MemorySink();
    expect(appendTo(sink, document)).to.deep.equal({ objects: 1, deleted: 0, size: sink.bytes().length });
    const again = openLazily(sink.bytes());
    expect([...again.references()].map((ref) => ref.objectNumber).sort()).to.deep.equal([1, 2, 3, 4]);
    expect(Buffer.from(sink.bytes()).toString('latin1')).to.not.include('nobody');
  });

  it('trusts a caller that names the changes, and still writes referenced new objects', () => {
    const document = openLazily(tableFile());
    const pages = walkPages(document.context);
    for (const page of pages)
      page.dict.set(name('Note'), document.context.register(PDFString.of(`of ${page.ref.tag}`)));
    const again = openLazily(appendBytes(document, { changed: [PDFRef.of(4)] }));
    expect((again.lookup(PDFRef.of(3)) as PDFDict).has(name('Note'))).to.equal(false);
    expect(((again.lookup(PDFRef.of(4)) as PDFDict).lookup(name('Note')) as PDFString).asString()).to.equal('of 4 0 R');
    expect([...again.references()]).to.have.length(5);
  });

  for (const [form, file] of [
    ['a table', tableFile],
    ['a stream', streamFile],
  ] as const) {
    it(
      'makes deleted objects ' +
        `${form === 'a table' ? 'free in a table, with the next generation' : 'null in a cross-reference stream'}`,
      () => {
        const document = openLazily(file());
        (document.lookup(PDFRef.of(2)) as PDFDict).set(name('Kids'), document.context.obj([PDFRef.of(3)]));
        (document.lookup(PDFRef.of(2)) as PDFDict).set(name('Count'), PDFNumber.of(1));
        document.context.delete(PDFRef.of(4));
        const result = appendBytes(document);
        const again = openLazily(result);
        expect([again.entry(4)?.kind, again.lookup(PDFRef.of(4))?.toString(), countPages(again)]).to.deep.equal(
          form === 'a table' ? ['free', undefined, 1] : ['at', 'null', 1],
        );
        if (form === 'a table')
          expect(Buffer.from(result).toString('latin1')).to.match(/\n2 1\n\d{10} 00000 n \n4 1\n0000000000 00001 f \n/);
        if (hasQpdf) expect(complaint(result)).to.equal('');
      },
    );
  }

  it('changes and deletes objects in object streams, also in a hybrid file', () => {
    const body = '6 0 7 3 8 6 12 34 56';
    const { text, places } = layOut({
      ...TWO_PAGES,
      1: '<</Type/Catalog/Pages 2 0 R/A 6 0 R/B 7 0 R/C 8 0 R>>',
      5: streamText('/Type/ObjStm/N 3/First 12', latin1(body)),
    });
    const hidden = crossReferenceStream(
      9,
      new Map<number, Place>([
        [6, [5, 0]],
        [7, [5, 1]],
        [8, [5, 2]],
        [9, text.length],
      ]),
      '/Size 10',
    );
    const whole = crossReferenceStream(
      9,
      new Map<number, Place>([...places, [6, [5, 0]], [7, [5, 1]], [8, [5, 2]], [9, text.length]]),
      '/Size 10/Root 1 0 R',
    );
    const hybrid = latin1(
      text + hidden + table(text.length + hidden.length, places, `/Size 10/Root 1 0 R/XRefStm ${text.length}`),
    );
    for (const source of [hybrid, latin1(`${text}${whole}startxref\n${text.length}\n%%EOF`)]) {
      const document = openLazily(source);
      document.context.assign(PDFRef.of(6), PDFNumber.of(99));
      document.context.delete(PDFRef.of(8));
      const result = appendBytes(document);
      const again = openLazily(result);
      expect([6, 7, 8].map((number) => again.lookup(PDFRef.of(number))?.toString())).to.deep.equal([
        '99',
        '34',
        'null',
      ]);
      expect(again.recovered).to.equal(false);
      if (hasQpdf) expect(complaint(result)).to.equal('');
    }
  });

  it('detects streams with other data or another dictionary, and keeps equal ones', () => {
    const { text, places } = layOut({
      ...TWO_PAGES,
      5: streamText('', latin1('same')),
      6: streamText('', latin1('old!')),
      7: '<</Length 8 0 R>>\nstream\nas it is\nendstream',
      8: '8',
    });
    const document = openLazily(latin1(text + table(text.length, places, '/Size 9/Root 1 0 R')));
    const { context } = document;
    for (const number of [5, 6, 7]) context.lookup(PDFRef.of(number));
    context.assign(PDFRef.of(5), context.stream('same'));
    context.assign(PDFRef.of(6), context.stream('new!'));
    (context.lookup(PDFRef.of(7)) as PDFRawStream).dict.set(name('Note'), PDFNumber.of(1));
    const sink = new MemorySink();
    expect(appendTo(sink, document).objects).to.equal(2);
    const again = openLazily(sink.bytes());
    const texts = [5, 6, 7].map((number) =>
      Buffer.from((again.lookup(PDFRef.of(number)) as PDFRawStream).contents).toString(),
    );
    expect(texts).to.deep.equal(['same', 'new!', 'as it is']);
    expect((again.lookup(PDFRef.of(7)) as PDFRawStream).dict.get(name('Length'))?.toString()).to.equal('8');
  });

  it('names a new information dictionary in the trailer, or none, and keeps the other entries', () => {
    const document = openLazily(tableFile('/Other(kept)'));
    document.context.trailerInfo.Info = document.context.register(document.context.obj({ Title: PDFString.of('t') }));
    const first = openLazily(appendBytes(document));
    expect(
      first.context
        .lookup(first.trailer.get(name('Info')), PDFDict)
        .get(name('Title'))
        ?.toString(),
    ).to.equal('(t)');
    expect(first.trailer.get(name('Other'))?.toString()).to.equal('(kept)');
    delete first.context.trailerInfo.Info;
    expect(openLazily(appendBytes(first)).trailer.has(name('Info'))).to.equal(false);
  });

  it('copies a file with the system or in pieces, with the same result', () => {
    const folder = mkdtempSync(join(tmpdir(), 'writer-'));
    try {
      const path = (file: string): string => join(folder, file);
      const { text, places } = layOut({ ...TWO_PAGES, 5: streamText('', Buffer.alloc(3_000_000, 'abc')) });
      writeFileSync(path('in.pdf'), latin1(text + table(text.length, places, '/Size 6/Root 1 0 R')));
      const fd = openSync(path('in.pdf'), 'r');
      const open = (): LazyDocument =>
        openLazily({
          size: statSync(path('in.pdf')).size,
          read: (position, length, target) => readSync(fd, target, 0, length, position) === length,
        });
      for (const [file, sink] of [
        ['copied', FileSink.copyOf(path('in.pdf'), path('copied'))],
        ['pieces', FileSink.create(path('pieces'))],
      ] as const) {
        const document = open();
        (document.lookup(PDFRef.of(5)) as PDFRawStream).dict.set(name('Note'), PDFNumber.of(1));
        appendTo(sink, document);
        sink.close();
        const again = openLazily(readFileSync(path(file)));
        expect(
          Buffer.from((again.lookup(PDFRef.of(5)) as PDFRawStream).contents).equals(Buffer.alloc(3_000_000, 'abc')),
          file,
        ).to.equal(true);
      }
      expect(readFileSync(path('copied')).equals(readFileSync(path('pieces')))).to.equal(true);
      const wrong = new MemorySink();
      wrong.write(latin1('something else'));
      expect(() => appendTo(wrong, open())).to.throw('follows its original');
      closeSync(fd);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
