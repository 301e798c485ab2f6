import { expect } from 'chai';
import { encodeG4 } from '../../images/ccitt-g4.js';
import { decodeImage } from '../../images/decode-image.js';
import { encodeJbig2 } from '../../images/jbig2/index.js';
import { differences, hasPdfimages, noise, pdfWith, picture, pictures, popplerAgrees } from './bilevel-support.js';

/** The filter returns 0 for black, so that the samples are those that were encoded as white. */
const inverted = (bits: Uint8Array): Uint8Array => bits.map((byte) => ~byte);
const coded = (width: number, height: number, bits: Uint8Array): ReturnType<typeof pdfWith> =>
  pdfWith(width, height, encodeJbig2(inverted(bits), width, height), { Filter: 'JBIG2Decode' });

describe('JBIG2 encoding', () => {
  for (const [title, [width, height, bits]] of Object.entries(pictures)) {
    it(`is decoded correctly by PDFium: ${title}`, async () => {
      const { pdf, image } = await coded(width, height, bits);
      const found = await decodeImage(pdf.context, image);
      if (found === undefined) return expect.fail('not decoded');
      expect(differences(bits, width, height, found), 'points that differ').to.equal(0);
    });

    it(`is decoded correctly by poppler: ${title}`, async function () {
      if (!hasPdfimages) return this.skip();
      expect(await popplerAgrees((await coded(width, height, bits)).pdf, bits, width, height)).to.equal(true);
    });
  }

  it('is smaller than CCITT group 4 for a typical page, and codes rows that repeat with next to nothing', () => {
    const bits = picture(2480, 800, (row, n) =>
      row % 60 > 40 ? 9000 : 8 + Math.floor(noise(Math.floor(row / 3) * 500 + n) * 12),
    );
    expect(encodeJbig2(bits, 2480, 800).length).to.be.lessThan(encodeG4(bits, 2480, 800).length * 0.7);
    expect(encodeJbig2(new Uint8Array(310 * 3508), 2480, 3508).length).to.be.lessThan(100);
  });
});
