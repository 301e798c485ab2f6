import { expect } from 'chai';
import { encodeG4 } from '../../images/ccitt-g4.js';
import { decodeImage } from '../../images/decode-image.js';
import { differences, hasPdfimages, noise, pdfWith, picture, pictures, popplerAgrees } from './bilevel-support.js';

const coded = (width: number, height: number, bits: Uint8Array): ReturnType<typeof pdfWith> =>
  pdfWith(width, height, encodeG4(bits, width, height), {
    Filter: 'CCITTFaxDecode',
    DecodeParms: { K: -1, Columns: width, Rows: height, BlackIs1: true },
  });

describe('CCITT group 4 encoding', () => {
  for (const [title, [width, height, bits]] of Object.entries(pictures)) {
    it(`is decoded correctly by PDFium: ${title}`, async () => {
      const { pdf, image } = await coded(width, height, bits);
      const found = await decodeImage(pdf.context, image);
      if (found === undefined) return expect.fail('not decoded');
      // A black CCITT pixel is a sample of 1, which is white in DeviceGray.
      expect(differences(bits, width, height, found), 'points that differ').to.equal(0);
    });

    it(`is decoded correctly by poppler: ${title}`, async function () {
      if (!hasPdfimages) return this.skip();
      expect(await popplerAgrees((await coded(width, height, bits)).pdf, bits, width, height)).to.equal(true);
    });
  }

  it('is much smaller than the bits of a typical page', () => {
    const bits = picture(2480, 800, (row, n) =>
      row % 60 > 40 ? 9000 : 8 + Math.floor(noise(Math.floor(row / 3) * 500 + n) * 12),
    );
    expect(encodeG4(bits, 2480, 800).length).to.be.lessThan(bits.length / 2.5);
  });
});
