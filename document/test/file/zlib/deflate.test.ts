import { createInflate, deflateSync, inflateSync } from 'node:zlib';
import { expect } from 'chai';
import { ReusedEngine } from '../../../file/zlib/engine.js';
import { deflate, deflateFitted, inflateBeginning, inflateShort, isSoundShort } from '../../../file/zlib/index.js';

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

const page = Buffer.from(Array.from({ length: 800 }, (_, i) => `BT ${i} 700 Td (word ${i * 31}) Tj ET`).join('\n'));

describe('deflating with a fitted window at a level', () => {
  it('gives the data back, at lower levels in more bytes', () => {
    const data = Buffer.from(Array.from({ length: 900 }, (_, i) => `<</Type/Page/Parent ${i % 7} 0 R/N ${i}>>`).join());
    const lengths = [1, 6, 9].map((level) => {
      const packed = deflateFitted(data, level);
      expect(inflateSync(packed).equals(data)).to.equal(true);
      return packed.length;
    });
    expect(lengths[0]).to.be.greaterThan(lengths[2] ?? 0);
    expect(deflateFitted(data).length).to.equal(lengths[2]);
  });
});

describe('deflating with an engine that is used again', () => {
  it('gives the same bytes as zlib, one piece after another, also for data that cannot be packed', () => {
    const noise = Buffer.from(Array.from({ length: 64 * 1024 }, (_, i) => Math.imul(i + 1, 2654435761) >>> 13));
    for (const level of [1, 6, 9])
      for (const data of [page, Buffer.alloc(0), noise, page.subarray(5), Buffer.concat([noise, page])])
        expect(deflate(data, level).equals(deflateSync(data, { level })), `${data.length} at ${level}`).to.equal(true);
  });

  it('returns bytes that later pieces leave as they are', () => {
    const packed = deflate(page);
    deflate(Buffer.from('something else'));
    expect(inflateSync(packed).equals(page)).to.equal(true);
  });
});

describe('inflating with an engine that is used again', () => {
  it('gives the data back and says how many bytes it took', () => {
    const packed = deflateSync(page);
    for (const behind of ['', '\n', '\r\nendstream']) {
      const found = inflateShort(Buffer.concat([packed, Buffer.from(behind)]));
      expect(found?.read).to.equal(packed.length);
      expect(page.equals(found?.data ?? Buffer.alloc(0))).to.equal(true);
    }
  });

  it('leaves damaged, cut off and foreign data to zlib, and reads the next piece as before', () => {
    const packed = deflateSync(page);
    const changed = Buffer.from(packed);
    changed.writeUInt32BE(7, changed.length - 4);
    const bad = [changed, packed.subarray(0, -1), packed.subarray(2), page, Buffer.alloc(0)];
    for (const data of bad) {
      expect(inflateShort(data)).to.equal(undefined);
      expect(isSoundShort(data)).to.equal(false);
      expect(isSoundShort(packed)).to.equal(true);
      expect(page.equals(inflateShort(packed)?.data ?? Buffer.alloc(0))).to.equal(true);
    }
  });

  it('inflates a beginning alone, also of data that is damaged or cut off behind it', () => {
    const packed = deflateSync(page);
    const first = (data: Uint8Array, most: number): string | undefined => {
      const found = inflateBeginning(data, most);
      return found && Buffer.from(found).toString('latin1');
    };
    const noise = Buffer.from(packed).fill(0xff, packed.length / 2);
    for (const data of [packed, noise, packed.subarray(0, packed.length / 2)])
      for (const most of [1, 100, 2048]) expect(first(data, most)).to.equal(page.toString('latin1', 0, most));
    expect(first(packed, 100_000)).to.equal(page.toString('latin1'));
    expect(first(page, 100)).to.equal(undefined);
    expect(page.equals(inflateShort(packed)?.data ?? Buffer.alloc(0))).to.equal(true);
  });

  it('leaves what is longer than its buffer to zlib', () => {
    const bomb = deflateSync(Buffer.alloc(300_000));
    expect(inflateShort(bomb)).to.equal(undefined);
    expect(inflateShort(deflateSync(Buffer.alloc(250_000)))?.data.length).to.equal(250_000);
  });

  it('leaves everything to zlib on a Node whose streams consist of something else', () => {
    const other = createInflate();
    Object.defineProperty(other, '_handle', { value: undefined });
    const engine = new ReusedEngine(() => other);
    expect(engine.run(deflateSync(page), Buffer.alloc(100_000))).to.equal(undefined);
    expect(engine.begin(deflateSync(page), Buffer.alloc(100))).to.equal(undefined);
  });
});
