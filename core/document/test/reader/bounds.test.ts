import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { expect } from 'chai';
import { PDFRef } from 'pdf-lib';
import { DocumentError, type DocumentErrorCode, isTooComplex } from '../../errors.js';
import { type LazyDocument, countPages, openLazily } from '../../reader/index.js';
import { TWO_PAGES, type Place, crossReferenceStream, latin1, layOut, plain, streamText, table } from './support.js';

/** The refusal that some work ends with. */
function refusal(work: () => unknown): DocumentError | undefined {
  try {
    work();
  } catch (error) {
    if (error instanceof DocumentError) return error;
    throw error;
  }
  return undefined;
}

function expectBound(code: DocumentErrorCode, limit: number, work: () => unknown): void {
  const error = refusal(work);
  expect(error?.code).to.equal(code);
  expect(error?.data['limit']).to.equal(limit);
  expect(isTooComplex(error)).to.equal(true);
}

const opened = (body: string): LazyDocument => openLazily(latin1(plain({ ...TWO_PAGES, 5: body })));

/** A file whose objects from 100 on lie in object streams with these data, each under the number 100 + its place. */
function withObjectStreams(streams: readonly string[]): LazyDocument {
  const { text, places } = layOut({ ...TWO_PAGES, ...Object.fromEntries(streams.map((body, i) => [5 + i, body])) });
  const number = 5 + streams.length;
  const all = new Map<number, Place>([...places, ...streams.map((_, i): [number, Place] => [300 + i, [5 + i, 0]]), [number, text.length]]);
  return openLazily(latin1(`${text}${crossReferenceStream(number, all, '/Size 1000/Root 1 0 R')}startxref\n${text.length}\n%%EOF`));
}

describe('bounds of reading', () => {
  it('refuses what nests too deeply, and allows what writers make', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    expect(opened(nested(400)).lookup(PDFRef.of(5))).to.not.equal(undefined);
    expectBound('PDF_NESTING', 500, () => opened(nested(501)).lookup(PDFRef.of(5)));
  });

  it('refuses an array of more than a million values', () => {
    expectBound('PDF_ARRAY_TOO_LONG', 1_000_000, () => opened(`[${'0 '.repeat(1_000_001)}]`).lookup(PDFRef.of(5)));
  }).timeout(10_000);

  it('refuses strings beyond 32 MiB, literal and hexadecimal, and an object of more than 64 MiB', () => {
    const limit = 32 * 1024 * 1024;
    for (const [open, close] of [['(', ')'], ['<', '>']] as const) {
      expectBound('PDF_STRING_TOO_LONG', limit, () => opened(`${open}${'a'.repeat(limit + 1)}${close}`).lookup(PDFRef.of(5)));
    }
    expectBound('PDF_OBJECT_TOO_LARGE', 2 * limit, () => opened(`(${'a'.repeat(5 * limit)})`).lookup(PDFRef.of(5)));
  }).timeout(10_000);

  it('refuses a chain of ten thousand cross-reference sections, and millions of entries', () => {
    let file = layOut(TWO_PAGES).text;
    let previous = '';
    for (let i = 0; i <= 10_000; i++) {
      const at = file.length;
      file += table(at, new Map(), `/Root 1 0 R${previous}`);
      previous = `/Prev ${at}`;
    }
    expectBound('PDF_XREF_TOO_LONG', 10_000, () => openLazily(latin1(file)));

    const rows = deflateSync(new Uint8Array(9_000_000));
    const section = (number: number, more: string): string => `${number} 0 obj\n${streamText(`/Type/XRef/W[1 0 0]/Size 9000000/Root 1 0 R/Filter/FlateDecode${more}`, rows)}\nendobj\n`;
    const { text } = layOut(TWO_PAGES);
    const second = text + section(5, '');
    expectBound('PDF_XREF_TOO_LONG', 16_777_216, () => openLazily(latin1(`${second}${section(6, `/Prev ${text.length}`)}startxref\n${second.length}\n%%EOF`)));
  }).timeout(10_000);

  it('refuses object streams that inflate too far, too often or through too many filters', () => {
    const head = '300 0 ';
    const packed = (size: number): string => streamText(`/Type/ObjStm/N 1/First ${head.length}/Filter/FlateDecode`, deflateSync(Buffer.concat([latin1(`${head}42 `), new Uint8Array(size)])));
    expectBound('PDF_RATIO', 10 * 1024 * 1024, () => withObjectStreams([packed(11_000_000)]).lookup(PDFRef.of(300)));
    const names = '/FlateDecode'.repeat(9);
    expectBound('PDF_FILTERS', 8, () => withObjectStreams([streamText(`/Type/ObjStm/N 1/First 0/Filter[${names}]`, new Uint8Array(3))]).lookup(PDFRef.of(300)));
    const many = withObjectStreams(Array.from({ length: 104 }, () => packed(10_480_000)));
    expectBound('PDF_INFLATED_TOTAL', 1024 * 1024 * 1024, () => Array.from({ length: 104 }, (_, i) => many.lookup(PDFRef.of(300 + i))));
  }).timeout(20_000);

  it('refuses an object that inflates to more than 256 MiB within its ratio', () => {
    // Noise in front keeps the ratio low, zeros make the rest cheap.
    const noise = createHash('shake256', { outputLength: 1_500_000 }).update('noise').digest();
    const data = deflateSync(Buffer.concat([noise, new Uint8Array(256 * 1024 * 1024)]), { level: 1 });
    expectBound('PDF_OBJECT_TOO_LARGE', 256 * 1024 * 1024, () => withObjectStreams([streamText('/Type/ObjStm/N 1/First 4/Filter/FlateDecode', data)]).lookup(PDFRef.of(300)));
  }).timeout(20_000);

  it('refuses a page tree that hangs in itself millions of times', () => {
    const kids = Array.from({ length: 3000 }, () => '3 0 R').join(' ');
    const again = Array.from({ length: 1000 }, () => '5 0 R').join(' ');
    const file = plain({ ...TWO_PAGES, 2: `<</Type/Pages/Kids[${again}]>>`, 5: `<</Type/Pages/Kids[${kids}]>>` });
    expectBound('PDF_PAGE_TREE', 2_000_000, () => countPages(openLazily(latin1(file))));
  });
});
