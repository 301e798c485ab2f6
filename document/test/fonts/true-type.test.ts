import { expect } from 'chai';
import { TrueType } from '../../fonts/pdf-fonts/true-type.js';
import { wrapTables } from '../../fonts/truetype.js';

/** A character map of format 4 (Apple TrueType Reference Manual, cmap) with these segments, all to glyph 0. */
function segments(count: number, first: number, last: number): Buffer {
  const map = Buffer.alloc(12 + 16 + count * 8);
  map.writeUInt16BE(1, 2);
  map.writeUInt16BE(3, 4);
  map.writeUInt16BE(1, 6);
  map.writeUInt32BE(12, 8);
  map.writeUInt16BE(4, 12);
  map.writeUInt16BE(count * 2, 18);
  for (let i = 0; i < count; i++) {
    map.writeUInt16BE(last, 26 + i * 2);
    map.writeUInt16BE(first, 28 + (count + i) * 2);
    // The glyph is the character and this number, modulo 65536; a place far behind the table is glyph 0.
    map.writeUInt16BE(0xffff, 28 + (count * 3 + i) * 2);
  }
  return map;
}

describe('the character maps of a TrueType program', () => {
  it('cost a bounded time: segments may overlap, and lead to no glyph', function bounded() {
    // Two thousand million characters without a bound.
    this.timeout(30_000);
    const font = new TrueType(wrapTables([['cmap', segments(32_000, 0, 0xfffe)]]));
    expect(font.texts().size).to.equal(0);
  });
});
