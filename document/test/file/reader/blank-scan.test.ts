import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { expect } from 'chai';
import { PDFName, PDFNumber, PDFRawStream, PDFRef } from 'pdf-lib';
import { compressFile } from '../../../file/compression/index.js';
import { DocumentError } from '../../../errors.js';
import { mergePdfs } from '../../../structure/merge/index.js';
import { editBytes, openPdf } from '../../../file/open/index.js';
import { countPages, openLazily } from '../../../file/reader/index.js';
import { repairPdf } from '../../../file/repair/index.js';
import { extractPages } from '../../../structure/split/index.js';
import { latin1, plain, streamText } from './support.js';

const [WIDTH, HEIGHT] = [5100, 6600] as const;
const packed = deflateSync(Buffer.alloc(WIDTH * HEIGHT, 255));

/** Two white pages, scanned at 600 dpi in shades of gray: 33 MB in 33 kB, a higher ratio than the limit allows. */
function blankScan(): Uint8Array {
  const page = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 6 0 R/Resources<</XObject<</I 5 0 R>>>>>>';
  return latin1(
    plain({
      1: '<</Type/Catalog/Pages 2 0 R>>',
      2: '<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]>>',
      3: page,
      4: page,
      5: streamText(
        `/Type/XObject/Subtype/Image/Width ${WIDTH}/Height ${HEIGHT}/BitsPerComponent 8` +
          '/ColorSpace/DeviceGray/Filter/FlateDecode',
        packed,
      ),
      6: streamText('', latin1('q 612 0 0 792 0 0 cm /I Do Q')),
    }),
  );
}

/** The encoded images of a document. */
function images(bytes: Uint8Array): Uint8Array[] {
  const document = openLazily(bytes);
  return [...document.references()]
    .map((ref) => document.lookup(ref))
    .flatMap((object) =>
      object instanceof PDFRawStream && object.dict.get(PDFName.of('Subtype')) === PDFName.of('Image')
        ? [object.contents]
        : [],
    );
}

function expectScan(bytes: Uint8Array, pages: number): void {
  expect(countPages(openLazily(bytes))).to.equal(pages);
  for (const image of images(bytes)) expect(Buffer.compare(image, packed)).to.equal(0);
  expect(images(bytes)).to.not.deep.equal([]);
}

describe('a blank scan above the inflation limit', function () {
  this.timeout(60_000);

  it('is not decoded', () => {
    const document = openLazily(blankScan());
    const image = document.lookup(PDFRef.of(5)) as PDFRawStream;
    expect(() => document.decode(image))
      .to.throw(DocumentError)
      .with.property('code', 'PDF_RATIO');
  });

  it('is rotated, appended to or rewritten unchanged', async () => {
    for (const mode of ['append', 'rewrite'] as const) {
      const turned = await editBytes(blankScan(), { mode }, ({ pages }) => {
        for (const { dict } of pages) dict.set(PDFName.of('Rotate'), PDFNumber.of(90));
      });
      expectScan(turned, 2);
    }
  });

  it('is merged and split unchanged', async () => {
    const { bytes } = await mergePdfs([
      { name: 'a.pdf', bytes: blankScan() },
      { name: 'b.pdf', bytes: blankScan() },
    ]);
    expectScan(bytes, 4);
    expectScan(await extractPages(await openPdf(blankScan()), [1]), 1);
  });

  it('is compressed at every level, and repaired', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'quire-blank-'));
    try {
      const [source, target] = [join(folder, 'in.pdf'), join(folder, 'out.pdf')];
      await writeFile(source, blankScan());
      for (const level of [1, 3, 5, 9] as const) {
        await compressFile(source, target, { level });
        const result = await readFile(target);
        expect(countPages(openLazily(result)), `level ${level}`).to.equal(2);
        expect(result.length).to.be.at.most(blankScan().length);
      }
    } finally {
      await rm(folder, { recursive: true });
    }
    const { bytes } = await repairPdf(blankScan());
    expect(countPages(openLazily(bytes))).to.equal(2);
  });
});
