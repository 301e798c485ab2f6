import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { expect } from 'chai';
import { PDFDict, PDFName, PDFRef } from 'pdf-lib';
import { bounds } from '../../../bounds.js';
import { DocumentError, type DocumentErrorCode, isTooComplex } from '../../../errors.js';
import { type LazyDocument, countPages, openLazily } from '../../../file/reader/index.js';
import { appendBytes } from '../../../file/writer/index.js';
import {
  TWO_PAGES,
  type Place,
  crossReferenceStream,
  latin1,
  layOut,
  plain,
  streamText,
  table,
  withBounds,
} from './support.js';

/** The error that some work throws. */
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

/** A file whose objects from 100 on are in object streams with these data, numbered from 100 in order. */
function withObjectStreams(streams: readonly string[]): LazyDocument {
  const { text, places } = layOut({ ...TWO_PAGES, ...Object.fromEntries(streams.map((body, i) => [5 + i, body])) });
  const number = 5 + streams.length;
  const all = new Map<number, Place>([
    ...places,
    ...streams.map((_, i): [number, Place] => [300 + i, [5 + i, 0]]),
    [number, text.length],
  ]);
  return openLazily(
    latin1(`${text}${crossReferenceStream(number, all, '/Size 1000/Root 1 0 R')}startxref\n${text.length}\n%%EOF`),
  );
}

describe('limits of reading', function () {
  this.timeout(60_000);

  it('are the documented ones', () => {
    const MIB = 1024 * 1024;
    expect(bounds).to.include({
      objectBytes: 256 * MIB,
      inflatedBytes: 1024 * MIB,
      freeBytes: 10 * MIB,
      ratio: 200,
      nesting: 500,
      values: 1_000_000,
      stringBytes: 32 * MIB,
    });
    expect(bounds).to.include({
      textBytes: 64 * MIB,
      revisions: 10_000,
      entries: 16_777_216,
      objectNumber: 8_388_607,
      pageNodes: 2_000_000,
      filters: 8,
    });
  });

  it('reject deep nesting, and allow what writers produce', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    expect(opened(nested(400)).lookup(PDFRef.of(5))).to.not.equal(undefined);
    expectBound('PDF_NESTING', 500, () => opened(nested(501)).lookup(PDFRef.of(5)));
  });

  it('reject an array with too many values', () => {
    withBounds({ values: 1000 }, () => {
      expect(opened(`[${'0 '.repeat(999)}]`).lookup(PDFRef.of(5))).to.not.equal(undefined);
      expectBound('PDF_ARRAY_TOO_LONG', 1000, () => opened(`[${'0 '.repeat(1000)}]`).lookup(PDFRef.of(5)));
    });
  });

  it('reject long strings, literal and hexadecimal, and large objects', () => {
    for (const [open, close] of [
      ['(', ')'],
      ['<', '>'],
    ] as const) {
      withBounds({ stringBytes: 5000 }, () => {
        expect(opened(`${open}${'a'.repeat(5000)}${close}`).lookup(PDFRef.of(5))).to.not.equal(undefined);
        expectBound('PDF_STRING_TOO_LONG', 5000, () =>
          opened(`${open}${'a'.repeat(5001)}${close}`).lookup(PDFRef.of(5)),
        );
      });
    }
    withBounds({ textBytes: 16_384 }, () =>
      expectBound('PDF_OBJECT_TOO_LARGE', 16_384, () => opened(`(${'a'.repeat(40_000)})`).lookup(PDFRef.of(5))),
    );
  });

  it('reject a long chain of cross-reference sections, and too many entries', () => {
    const chain = (sections: number): string => {
      let file = layOut(TWO_PAGES).text;
      let previous = '';
      for (let i = 0; i < sections; i++) {
        const at = file.length;
        file += table(at, new Map(), `/Root 1 0 R${previous}`);
        previous = `/Prev ${at}`;
      }
      return file;
    };
    withBounds({ revisions: 100 }, () => {
      expect(countPages(openLazily(latin1(chain(100))))).to.equal(2);
      expectBound('PDF_XREF_TOO_LONG', 100, () => openLazily(latin1(chain(101))));
    });

    const rows = deflateSync(new Uint8Array(600));
    const section = (number: number, more: string): string => {
      const stream = streamText(`/Type/XRef/W[1 0 0]/Size 600/Root 1 0 R/Filter/FlateDecode${more}`, rows);
      return `${number} 0 obj\n${stream}\nendobj\n`;
    };
    const { text } = layOut(TWO_PAGES);
    const second = text + section(5, '');
    withBounds({ entries: 1000 }, () =>
      expectBound('PDF_XREF_TOO_LONG', 1000, () =>
        openLazily(latin1(`${second}${section(6, `/Prev ${text.length}`)}startxref\n${second.length}\n%%EOF`)),
      ),
    );
  });

  it('reject an update without a free object number', () => {
    const document = openLazily(latin1(plain({ ...TWO_PAGES, [bounds.believedNumber]: 'null' })));
    const { context } = document;
    context.lookup(context.trailerInfo.Root, PDFDict).set(PDFName.of('Added'), context.register(context.obj({})));
    expectBound('PDF_XREF_TOO_LONG', bounds.believedNumber, () => appendBytes(document));
  });

  it('reject object streams that inflate too far, too often or through too many filters', () => {
    const head = '300 0 ';
    const packed = (size: number): string =>
      streamText(
        `/Type/ObjStm/N 1/First ${head.length}/Filter/FlateDecode`,
        deflateSync(Buffer.concat([latin1(`${head}42 `), new Uint8Array(size)])),
      );
    expectBound('PDF_RATIO', 10 * 1024 * 1024, () => withObjectStreams([packed(11_000_000)]).lookup(PDFRef.of(300)));
    const names = '/FlateDecode'.repeat(9);
    expectBound('PDF_FILTERS', 8, () =>
      withObjectStreams([streamText(`/Type/ObjStm/N 1/First 0/Filter[${names}]`, new Uint8Array(3))]).lookup(
        PDFRef.of(300),
      ),
    );
    const many = withObjectStreams(Array.from({ length: 11 }, () => packed(100_000)));
    withBounds({ inflatedBytes: 1_000_000 }, () =>
      expectBound('PDF_INFLATED_TOTAL', 1_000_000, () =>
        Array.from({ length: 11 }, (_, i) => many.lookup(PDFRef.of(300 + i))),
      ),
    );
  });

  it('reject an object that inflates too far within its ratio', () => {
    // Noise at the beginning keeps the ratio low.
    const noise = createHash('shake256', { outputLength: 10_000 }).update('noise').digest();
    const data = deflateSync(Buffer.concat([noise, new Uint8Array(1_000_000)]), { level: 1 });
    withBounds({ objectBytes: 1_000_000 }, () =>
      expectBound('PDF_OBJECT_TOO_LARGE', 1_000_000, () =>
        withObjectStreams([streamText('/Type/ObjStm/N 1/First 4/Filter/FlateDecode', data)]).lookup(PDFRef.of(300)),
      ),
    );
  });

  it('reject a page tree that contains itself too often', () => {
    const kids = Array.from({ length: 300 }, () => '3 0 R').join(' ');
    const again = Array.from({ length: 10 }, () => '5 0 R').join(' ');
    const file = plain({ ...TWO_PAGES, 2: `<</Type/Pages/Kids[${again}]>>`, 5: `<</Type/Pages/Kids[${kids}]>>` });
    expect(countPages(openLazily(latin1(file)))).to.equal(3000);
    withBounds({ pageNodes: 2000 }, () =>
      expectBound('PDF_PAGE_TREE', 2000, () => countPages(openLazily(latin1(file)))),
    );
  });
});
