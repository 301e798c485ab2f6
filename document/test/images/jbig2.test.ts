import { expect } from 'chai';
import { encodeG4 } from '../../images/ccitt-g4.js';

import { encodeJbig2 } from '../../images/jbig2/index.js';
import { itIsDecoded, noise, pdfWith, picture } from './bilevel-support.js';

/** The filter returns 0 for black, so that the samples are those that were encoded as white. */
const inverted = (bits: Uint8Array): Uint8Array => bits.map((byte) => ~byte);
const coded = (width: number, height: number, bits: Uint8Array): ReturnType<typeof pdfWith> =>
  pdfWith(width, height, encodeJbig2(inverted(bits), width, height), { Filter: 'JBIG2Decode' });

describe('JBIG2 encoding', () => {
  itIsDecoded(coded);

  it('is smaller than CCITT group 4 for a typical page, and codes rows that repeat with next to nothing', () => {
    const bits = picture(2480, 800, (row, n) =>
      row % 60 > 40 ? 9000 : 8 + Math.floor(noise(Math.floor(row / 3) * 500 + n) * 12),
    );
    expect(encodeJbig2(bits, 2480, 800).length).to.be.lessThan(encodeG4(bits, 2480, 800).length * 0.7);
    expect(encodeJbig2(new Uint8Array(310 * 3508), 2480, 3508).length).to.be.lessThan(100);
  });
});
