import { expect } from 'chai';
import { encodeG4 } from '../../images/ccitt-g4.js';
import { itIsDecoded, noise, pdfWith, picture } from './bilevel-support.js';

const coded = (width: number, height: number, bits: Uint8Array): ReturnType<typeof pdfWith> =>
  pdfWith(width, height, encodeG4(bits, width, height), {
    Filter: 'CCITTFaxDecode',
    DecodeParms: { K: -1, Columns: width, Rows: height, BlackIs1: true },
  });

describe('CCITT group 4 encoding', () => {
  itIsDecoded(coded);

  it('is much smaller than the bits of a typical page', () => {
    const bits = picture(2480, 800, (row, n) =>
      row % 60 > 40 ? 9000 : 8 + Math.floor(noise(Math.floor(row / 3) * 500 + n) * 12),
    );
    expect(encodeG4(bits, 2480, 800).length).to.be.lessThan(bits.length / 2.5);
  });
});
