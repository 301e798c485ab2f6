import { deflateSync, inflateSync } from 'node:zlib';
import { expect } from 'chai';
import { deflateFitted } from '../../../file/writer/deflate.js';

describe('deflating with a fitted window', () => {
  it('gives the data back, and is no larger than with the usual window', () => {
    const text = Array.from({ length: 9000 }, (_, i) => `${i} 0 obj<</Type/Page/Parent ${i % 7} 0 R>>`).join('\n');
    for (const length of [0, 1, 100, 761, 762, 763, 4000, 32_000, 40_000, 300_000]) {
      const data = Buffer.from(text.slice(0, length), 'latin1');
      const packed = deflateFitted(data);
      expect(inflateSync(packed).equals(data), `${length} bytes`).to.equal(true);
      expect(packed.length, `${length} bytes`).to.be.at.most(deflateSync(data, { level: 9 }).length);
    }
  });
});
