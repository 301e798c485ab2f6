import { readFileSync, readdirSync } from 'node:fs';
import { expect } from 'chai';
import { PDFDict, PDFName, PDFRawStream, PDFRef } from 'pdf-lib';
import { DocumentError } from '../../../errors.js';
import { type LazyDocument, countPages, openLazily } from '../../../file/reader/index.js';
import { appendBytes, rewriteBytes } from '../../../file/writer/index.js';
import { TWO_PAGES, latin1, plain, streamText } from './support.js';

const folder = new URL('../../fixtures/', import.meta.url);
const ADDED = PDFName.of('Added');

/** The page count after every object was loaded, or the error code. */
function read(bytes: Uint8Array): { readonly document?: LazyDocument; readonly result: number | string } {
  try {
    const document = openLazily(bytes);
    const pages = countPages(document);
    for (const ref of document.references()) {
      const object = document.lookup(ref);
      if (object instanceof PDFRawStream) document.decode(object);
    }
    expect(countPages(document), 'pages counted again').to.equal(pages);
    return { document, result: pages };
  } catch (error) {
    if (error instanceof DocumentError) return { result: error.code };
    throw error;
  }
}

/** The faults that each small file of `fixtures` once caused in the reader or the writer. */
const found: Readonly<Record<string, { readonly what: string; readonly result: number | string }>> = {
  'fractional-n.pdf': { what: 'an object stream of half an object', result: 'PDF_DAMAGED' },
  'dangling-kid.pdf': { what: 'a kid that is not there, whose number the next new object would get', result: 1 },
  'largest-number.pdf': { what: 'an object with the largest number, behind which new ones are added', result: 1 },
  'endless-reference.pdf': { what: 'a reference of twenty-two digits', result: 1 },
  'object-in-front.pdf': { what: 'an object at the first byte, without a header before it', result: 1 },
  'other-generation.pdf': { what: 'an entry of another generation than the object', result: 2 },
  'open-dictionary.pdf': { what: 'a last dictionary without an end, into which an update would run', result: 1 },
  'open-object-stream.pdf': { what: 'an object stream without an end, into which an update would run', result: 1 },
  'endless-object-stream.pdf': {
    what: 'an object stream that promises an object beyond the end of the file, where an update would stand',
    result: 1,
  },
  'packed-far-number.pdf': {
    what: 'an object stream with an object of a number that no file can have, behind which new ones are added',
    result: 1,
  },
  'fractional-size.pdf': { what: 'a /Size that is not an integer, from which new objects are numbered', result: 1 },
  'promised-rows.pdf': {
    what: 'a table that promises more rows than it has, which would reach into that of an update',
    result: 1,
  },
  'dangling-contents.pdf': {
    what: 'a node of an unknown type whose contents lead nowhere, which is not a page',
    result: 1,
  },
  'byte-before-header.pdf': {
    what: 'a byte before the header, from which a place would be counted into the middle of a number',
    result: 1,
  },
};

describe('files that the fuzzer found', () => {
  it('are all described', () => {
    expect(
      readdirSync(folder)
        .filter((name) => name.endsWith('.pdf'))
        .sort(),
    ).to.deep.equal(Object.keys(found).sort());
  });

  for (const [name, { what, result }] of Object.entries(found)) {
    it(`survives ${what}, reading, rewriting and appending`, () => {
      const bytes = readFileSync(new URL(name, folder));
      const first = read(bytes);
      expect(first.result).to.equal(result);
      if (first.document === undefined) return;
      const { context } = first.document;
      expect(read(rewriteBytes(context)).result, 'rewritten').to.equal(result);
      const catalog = context.lookup(context.trailerInfo.Root, PDFDict);
      catalog.set(ADDED, context.register(context.obj({ New: true })));
      const appended = read(appendBytes(first.document));
      expect(appended.result, 'appended').to.equal(result);
      const after = appended.document?.context;
      expect(after?.lookup(after.trailerInfo.Root, PDFDict).lookup(ADDED)).to.be.instanceOf(PDFDict);
    });
  }

  it('keep their cross-reference when an update follows a table with missing rows', () => {
    const { document } = read(readFileSync(new URL('promised-rows.pdf', folder)));
    if (document === undefined) throw new Error('unreadable');
    document.context
      .lookup(document.context.trailerInfo.Root, PDFDict)
      .set(ADDED, document.context.register(document.context.obj({ New: true })));
    expect(openLazily(appendBytes(document)).recovered).to.equal(false);
  });

  it('end a stream without endstream where its object ends', () => {
    const document = openLazily(
      latin1(plain({ ...TWO_PAGES, 5: '<</Length 99>>\nstream\nab', 6: streamText('', latin1('cd')) })),
    );
    const [cut, whole] = [5, 6].map((number) => document.lookup(PDFRef.of(number)));
    expect(cut).to.be.instanceOf(PDFRawStream).with.property('contents').that.deep.equals(latin1('ab'));
    expect(whole).to.be.instanceOf(PDFRawStream).with.property('contents').that.deep.equals(latin1('cd'));
  });
});
