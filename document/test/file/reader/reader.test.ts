import { deflateSync } from 'node:zlib';
import { expect } from 'chai';
import {
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFName,
  type PDFNumber,
  PDFRawStream,
  PDFRef,
  type PDFString,
  asNumber,
} from 'pdf-lib';
import { DocumentError } from '../../../errors.js';
import { walkPages } from '../../../structure/pages/index.js';
import { type LazyDocument, type LazySource, countPages, openLazily } from '../../../file/reader/index.js';
import {
  type Place,
  TWO_PAGES,
  crossReferenceStream,
  latin1,
  layOut,
  plain,
  streamText,
  table,
  withBounds,
} from './support.js';

function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof DocumentError) return error.code;
    throw error;
  }
  return 'none';
}

function asFile(bytes: Uint8Array): LazySource & { readonly asked: () => number } {
  let asked = 0;
  const read = (position: number, length: number, target: Uint8Array): boolean => {
    asked += length;
    target.set(bytes.subarray(position, position + length));
    return position + length <= bytes.length;
  };
  return { size: bytes.length, read, asked: () => asked };
}

const number = (document: LazyDocument, ref: number): number => asNumber(document.lookup(PDFRef.of(ref)) as PDFNumber);
const stream = (document: LazyDocument, ref: number): string =>
  Buffer.from((document.lookup(PDFRef.of(ref)) as PDFRawStream).contents).toString('latin1');

describe('opening lazily', () => {
  it('reads a table, and returns the same object each time', () => {
    const document = openLazily(latin1(plain()));
    expect(countPages(document)).to.equal(2);
    expect(document.recovered).to.equal(false);
    expect(document.lookup(PDFRef.of(3))).to.equal(document.lookup(PDFRef.of(3)));
    expect(document.lookup(PDFRef.of(3, 1))).to.equal(undefined);
    expect(document.lookup(PDFRef.of(99))).to.equal(undefined);
  });

  it('reads tables with other line ends, and one that begins with the wrong number', () => {
    const { text, places } = layOut(TWO_PAGES);
    for (const end of ['\r\n', '\n', '  \r\n'])
      expect(countPages(openLazily(latin1(text + table(text.length, places, '/Size 5/Root 1 0 R', end))))).to.equal(2);
    const entries = [...places.values()].map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
    const rows = `xref\n1 5\n0000000000 65535 f \n${entries}`;
    const shifted = `${text}${rows}trailer\n<</Size 5/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF`;
    const document = openLazily(latin1(shifted));
    expect(countPages(document)).to.equal(2);
    expect(document.recovered).to.equal(false);
  });

  it('reads cross-reference streams with every predictor, and objects in object streams', () => {
    for (const predictor of [0, 2, 10] as const) {
      const inner = ['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[3 0 R 4 0 R]>>'];
      const head = `1 0 2 ${(inner[0]?.length ?? 0) + 1} `;
      const packed = streamText(
        `/Type/ObjStm/N 2/First ${head.length}/Filter/FlateDecode`,
        deflateSync(latin1(head + inner.join(' '))),
      );
      const { text, places } = layOut({ 3: TWO_PAGES[3] ?? '', 4: TWO_PAGES[4] ?? '', 5: packed });
      const all = new Map<number, number | readonly [number, number]>([
        ...places,
        [1, [5, 0]],
        [2, [5, 1]],
        [6, text.length],
      ]);
      const document = openLazily(
        latin1(
          `${text}${crossReferenceStream(6, all, '/Size 7/Root 1 0 R', predictor)}startxref\n${text.length}\n%%EOF`,
        ),
      );
      expect(countPages(document), `predictor ${predictor}`).to.equal(2);
      expect(document.recovered).to.equal(false);
      expect(document.crossReference?.form).to.equal('stream');
    }
  });

  it('reads the entries that a hybrid file hides from old readers', () => {
    const head = '7 0 ';
    const { text, places } = layOut({
      ...TWO_PAGES,
      5: streamText(`/Type/ObjStm/N 1/First ${head.length}`, latin1(`${head}42`)),
    });
    const hidden = crossReferenceStream(6, new Map<number, readonly [number, number]>([[7, [5, 0]]]), '/Size 8');
    const document = openLazily(
      latin1(text + hidden + table(text.length + hidden.length, places, `/Size 8/Root 1 0 R/XRefStm ${text.length}`)),
    );
    expect(number(document, 7)).to.equal(42);
    expect(document.recovered).to.equal(false);
  });

  it('uses the newest revision, and survives circular revisions', () => {
    const first = plain({ ...TWO_PAGES, 5: '1' });
    const from = first.lastIndexOf('xref\n0 1');
    const second = layOut({ 5: '2' }, first);
    const revised = (previous: number): Uint8Array =>
      latin1(second.text + table(second.text.length, second.places, `/Size 6/Root 1 0 R/Prev ${previous}`));
    expect(number(openLazily(revised(from)), 5)).to.equal(2);
    expect(countPages(openLazily(revised(from)))).to.equal(2);
    expect(countPages(openLazily(revised(second.text.length)))).to.equal(2);
  });

  it('handles bytes before the header, a wrong startxref, wrong offsets and no cross-reference', () => {
    const file = plain();
    expect(countPages(openLazily(latin1(`junk\n${file}`)))).to.equal(2);
    const wrong = openLazily(latin1(file.replace(/startxref\n\d+/, 'startxref\n7')));
    expect(countPages(wrong)).to.equal(2);
    expect(wrong.continuable).to.equal(true);
    const moved = openLazily(latin1(file.replace('3 0 obj', ' \n \n3 0 obj')));
    expect(countPages(moved)).to.equal(2);
    expect(moved.recovered).to.equal(true);
    const bare = openLazily(latin1(file.slice(0, file.lastIndexOf('xref\n0 1'))));
    expect(countPages(bare)).to.equal(2);
    expect(bare.crossReference).to.equal(undefined);
  });

  it('finds the end of streams with any length entry', () => {
    const data = 'endless stream\r\n';
    const body = (length: string): string => `<</Length ${length}>>\nstream\n${data}\nendstream`;
    const document = openLazily(
      latin1(
        plain({
          ...TWO_PAGES,
          5: body('16'),
          6: body('7 0 R'),
          7: '16',
          8: body('3'),
          9: body('9999999'),
          10: body('10 0 R'),
        }),
      ),
    );
    for (const each of [5, 6, 8, 9, 10]) expect(stream(document, each), `object ${each}`).to.equal(data);
  });

  it('inflates broken data as far as possible', () => {
    const text = Array.from({ length: 4000 }, (_, i) => `line ${i} `).join('');
    const packed = deflateSync(latin1(text));
    for (const broken of [
      packed.subarray(0, packed.length >> 1),
      packed.subarray(0, -4),
      Buffer.from(packed).fill(0xff, packed.length >> 1),
    ]) {
      const document = openLazily(latin1(plain({ ...TWO_PAGES, 5: streamText('/Filter/FlateDecode', broken) })));
      const front = Buffer.from(document.decode(document.lookup(PDFRef.of(5)) as PDFRawStream) ?? []).toString(
        'latin1',
        0,
        1000,
      );
      expect(front).to.equal(text.slice(0, 1000));
    }
  });

  it("uses the generation in an object's header, regardless of earlier lookups", () => {
    const { text, places } = layOut(TWO_PAGES);
    const entries = table(text.length, places, '/Size 5/Root 1 0 R').replace(/(4 1\n\d{10}) 00000/, '$1 00009');
    for (const damaged of [text + entries, text.replace('4 0 obj', ' \n4 0 obj') + entries]) {
      const document = openLazily(latin1(damaged));
      expect(countPages(document)).to.equal(2);
      for (const ref of document.references()) document.lookup(ref);
      expect(countPages(document)).to.equal(2);
      expect(document.lookup(PDFRef.of(4, 3))).to.equal(undefined);
    }
  });

  it('numbers new objects above every dangling reference', () => {
    const document = openLazily(
      latin1(plain({ ...TWO_PAGES, 2: '<</Type/Pages/Count 2/Kids[3 0 R 4 0 R 5 0 R 7 0 R]>>' }, '/Size 99999999')),
    );
    expect(countPages(document)).to.equal(2);
    expect(document.context.nextRef().objectNumber).to.equal(8);
  });

  it('reads a dangling reference as null where its number was given to a new object', () => {
    const bodies = { 5: '<</A 10 0 R/B[11 0 R 30 0 R 4 0 R]>>', 6: '<</C 10 0 R/D 11 0 R/E 12 0 R/F 30 0 R>>' };
    const together = `5 0 6 ${bodies[5].length + 1} ${bodies[5]} ${bodies[6]}`;
    const { text, places } = layOut({
      ...TWO_PAGES,
      7: streamText(`/Type/ObjStm/N 2/First ${together.indexOf('<')}`, latin1(together)),
    });
    const all = new Map<number, Place>([...places, [5, [7, 0]], [6, [7, 1]], [8, text.length]]);
    const section = crossReferenceStream(8, all, '/Size 10/Root 1 0 R');
    const inStream = `${text}${section}startxref\n${text.length}\n%%EOF\n`;
    for (const file of [plain({ ...TWO_PAGES, ...bodies }, '/Size 10'), inStream]) {
      const document = openLazily(latin1(file));
      const { context } = document;
      const told = (ref: number, read = (of: PDFRef) => document.lookup(of)): string =>
        read(PDFRef.of(ref))?.toString().replace(/\s+/g, ' ') ?? 'nothing';
      for (const expected of [10, 11]) {
        const ref = context.nextRef();
        expect(ref.objectNumber).to.equal(expected);
        context.assign(ref, PDFName.of('New'));
      }
      // 30 is read while it is free: from then on it stays free, and so do lower numbers.
      expect(told(5)).to.equal('<< /A null /B [ null 30 0 R 4 0 R ] >>');
      expect(told(6)).to.equal('<< /C null /D null /E 12 0 R /F 30 0 R >>');
      expect(context.nextRef().objectNumber).to.equal(31);
      expect([document.lookup(PDFRef.of(12)), document.lookup(PDFRef.of(30))]).to.deep.equal([undefined, undefined]);
      expect(
        told(6, (ref) => document.original(ref)),
        'the file itself says what it said',
      ).to.equal('<< /C 10 0 R /D 11 0 R /E 12 0 R /F 30 0 R >>');
      expect([...document.nulled].map(({ objectNumber }) => objectNumber)).to.deep.equal([5, 6]);
    }
  });

  it('reads arrays in arrays, and what is around one that is broken off', () => {
    const arrays = {
      5: '[1 [2 [] [3 4] 5] <</A[6 7]>> 8]',
      6: '[1 <</A[2 3 )/B[4 5]>> 6 [7]]',
      7: '[1 2 )',
      8: '[]',
      9: `[${'7 '.repeat(5000)}]`,
    };
    const document = openLazily(latin1(plain({ ...TWO_PAGES, ...arrays })));
    const told = (ref: number): string =>
      document.lookup(PDFRef.of(ref))?.toString().replaceAll(/\s+/g, ' ') ?? 'nothing';
    expect([5, 6, 7, 8].map(told)).to.deep.equal([
      '[ 1 [ 2 [ ] [ 3 4 ] 5 ] << /A [ 6 7 ] >> 8 ]',
      '[ 1 << /B [ 4 5 ] >> 6 [ 7 ] ]',
      'nothing',
      '[ ]',
    ]);
    const long = document.context.lookup(PDFRef.of(9), PDFArray);
    expect(long.size()).to.equal(5000);
    long.push(PDFName.of('Last'));
    expect(long.get(5000)).to.equal(PDFName.of('Last'));
  });

  it('reads the same of a file in memory as block by block, wherever the first window ends', () => {
    const texts = [
      '[(a \\) b) (unbalanced (twice) ] 7]',
      '<</Name#20/Value/Long 12345.75 /Ref 3 0 R/List[1 0 R true null -7 .5]/Hex<0a 1 F>>>',
      '[<41', // Never closed.
      '(never closed',
      '% a comment\n<</A % another\r/B>>',
      '<</Broken ) /A 1 >>',
      streamText('/Filter/None', Buffer.from('data endobj of 30 bytes or more')),
      '<</Length 3>>\nstream\nwrong length\nendstream',
    ];
    const told = (source: Uint8Array | LazySource): unknown => {
      const document = openLazily(source);
      return [
        [5, 6].map((ref) => document.lookup(PDFRef.of(ref))?.toString()),
        document.lookup(PDFRef.of(5)) instanceof PDFRawStream ? stream(document, 5) : '',
        document.warnings,
        document.unread,
      ];
    };
    for (const text of texts) {
      const file = (before: number): Uint8Array =>
        latin1(plain({ ...TWO_PAGES, 5: `${' '.repeat(before)}${text}`, 6: '(after)' }));
      const expected = told(file(0));
      for (let before = 2040 - text.length; before < 2056; before++) {
        expect(told(file(before)), `${text} after ${before}`).to.deep.equal(expected);
        expect(told(asFile(file(before))), `${text} after ${before}, in blocks`).to.deep.equal(expected);
      }
    }
  });

  it('describes its repairs in words, and lists unreadable objects', () => {
    const file = plain({ ...TWO_PAGES, 5: '<</Length 3>>\nstream\nabcdef\nendstream', 6: '(open', 7: '7' });
    const document = openLazily(
      latin1(
        `junk\n${file
          .replace('7 0 obj', '      ')
          .replace('3 0 obj', ' \n3 0 obj')
          .replace(/startxref\n\d+/, 'startxref\n7')}`,
      ),
    );
    expect([...document.unreadable()].map(({ ref }) => ref.tag)).to.deep.equal(['6 0 R', '7 0 R']);
    expect(document.warnings).to.deep.equal([
      'The header is preceded by 5 bytes.',
      'The cross-reference is not where startxref says.',
      '2 objects are not where the cross-reference says.',
      '1 stream has a wrong length.',
    ]);
    expect(openLazily(latin1(plain())).warnings).to.deep.equal([]);
  });

  it('reads names, numbers and strings as written', () => {
    const document = openLazily(
      latin1(plain({ ...TWO_PAGES, 5: '<</A#2fb/C#23/D[--5 +.5 1.2.3 4 0 R 7]/S(a\\)b\\053)>>' })),
    );
    const dict = document.lookup(PDFRef.of(5)) as PDFDict;
    expect(dict.keys().map((key) => key.decodeText())).to.deep.equal(['A/b', 'D', 'S']);
    expect(dict.get(PDFName.of('D'))?.toString()).to.equal('[ -5 0.5 1.2 4 0 R 7 ]');
    expect((dict.get(PDFName.of('S')) as PDFString).decodeText()).to.equal('a)b+');
  });

  it('reads only the necessary parts of a file', () => {
    const bytes = latin1(plain({ ...TWO_PAGES, 5: streamText('', new Uint8Array(3_000_000)) }));
    const file = asFile(bytes);
    const document = openLazily(file);
    expect(countPages(document)).to.equal(2);
    expect(document.lookup(PDFRef.of(5))).to.be.instanceOf(PDFRawStream);
    expect(file.asked()).to.be.lessThan(300_000);
    expect(stream(document, 5)).to.have.length(3_000_000);
  });

  it('provides a context that the page walker and pdf-lib understand', async () => {
    const pdf = await PDFDocument.create();
    pdf.addPage([50, 60]).drawText('x');
    const document = openLazily(await pdf.save());
    expect(walkPages(document.context)).to.have.length(1);
    const ref = document.context.register(document.context.obj({ New: true }));
    expect(document.lookup(ref)).to.be.instanceOf(PDFDict);
    expect(document.context.enumerateIndirectObjects().length).to.equal([...document.references()].length + 1);
  });

  it('counts pages by walking, with wrong counts, circles and trees that double', () => {
    const tree = (kids: string, more: Record<number, string> = {}): LazyDocument =>
      openLazily(latin1(plain({ ...TWO_PAGES, 2: `<</Type/Pages/Count 7000000/Kids[${kids}]>>`, ...more })));
    expect(countPages(tree('3 0 R 2 0 R 4 0 R 88 0 R null 5'))).to.equal(2);
    expect(countPages(tree('3 0 R 3 0 R'))).to.equal(2);
    const doubling = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [10 + i, `<</Type/Pages/Kids[${11 + i} 0 R ${11 + i} 0 R]>>`]),
    );
    expect(countPages(tree('10 0 R', doubling))).to.equal(0);
  });

  it('rejects bombs, endless nesting and files that are not PDFs', () => {
    const bomb = streamText('/Type/ObjStm/N 1/First 4/Filter/FlateDecode', deflateSync(new Uint8Array(40_000_000)));
    const { text, places } = layOut({ ...TWO_PAGES, 5: bomb });
    const all = new Map<number, number | readonly [number, number]>([...places, [9, [5, 0]], [6, text.length]]);
    const document = openLazily(
      latin1(`${text}${crossReferenceStream(6, all, '/Size 10/Root 1 0 R')}startxref\n${text.length}\n%%EOF`),
    );
    expect(refusal(() => document.lookup(PDFRef.of(9)))).to.equal('PDF_RATIO');
    expect(
      refusal(() =>
        openLazily(latin1(plain({ ...TWO_PAGES, 5: '['.repeat(5000) + ']'.repeat(5000) }))).lookup(PDFRef.of(5)),
      ),
    ).to.equal('PDF_NESTING');
    expect(refusal(() => openLazily(latin1('no document')))).to.equal('PDF_DAMAGED');
    expect(refusal(() => openLazily(latin1('%PDF-1.7\nnothing more')))).to.equal('PDF_DAMAGED');
    expect(refusal(() => openLazily(new Uint8Array(0)))).to.equal('PDF_DAMAGED');
  });

  it('rejects a file whose objects all extend to its end, before reading it a thousand times', () => {
    for (const body of ['(never closed', '<aaaa', '<<>>\nstream\nno end']) {
      const objects = Array.from({ length: 3000 }, (_, i) => `${i + 5} 0 obj\n${body}\nendobj\n`).join('');
      const document = openLazily(latin1(`${layOut(TWO_PAGES).text}${objects}trailer\n<</Root 1 0 R>>`));
      withBounds({ searchedBytes: 1024 * 1024 }, () => {
        expect(
          refusal(() => [...document.references()].map((ref) => document.lookup(ref))),
          body,
        ).to.equal('PDF_TOO_BROKEN');
      });
    }
  });
});
