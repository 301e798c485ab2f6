import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from 'chai';
import { DIRECTORY_BYTES, dropTables, unusedTableBytes } from '../../fonts/drop-tables.js';

const whole = readFileSync(
  createRequire(import.meta.url).resolve('@expo-google-fonts/arimo/400Regular/Arimo_400Regular.ttf'),
);

/** The tables of a program by their names. */
function tables(program: Uint8Array): Map<string, Buffer> {
  const font = Buffer.from(program);
  return new Map(
    Array.from({ length: font.readUInt16BE(4) }, (_, i) => {
      const [entry, at, length] = [12 + i * 16, font.readUInt32BE(20 + i * 16), font.readUInt32BE(24 + i * 16)];
      return [font.toString('latin1', entry, entry + 4), font.subarray(at, at + length)];
    }),
  );
}

const sum = (data: Buffer): number => {
  let words = 0;
  for (let i = 0; i + 3 < data.length; i += 4) words = (words + data.readUInt32BE(i)) >>> 0;
  return words;
};

describe('dropping tables of a TrueType program', () => {
  it('keeps glyphs, widths, characters and instructions byte for byte', () => {
    const [before, after] = [tables(whole), tables(dropTables(whole) ?? new Uint8Array(12))];
    expect([...before.keys()]).to.include.members(['name', 'OS/2', 'GSUB']);
    expect([...after.keys()]).not.to.include.members(['name', 'OS/2', 'GSUB', 'GPOS', 'STAT']);
    for (const name of ['cmap', 'cvt ', 'fpgm', 'glyf', 'hhea', 'hmtx', 'loca', 'maxp', 'prep'])
      expect(after.get(name), name).to.deep.equal(before.get(name));
    expect(after.get('head')?.subarray(12)).to.deep.equal(before.get('head')?.subarray(12));
  });

  it('writes the checksums of the new program', () => {
    const slim = Buffer.from(dropTables(whole) ?? []);
    expect(sum(slim)).to.equal(0xb1b0afba);
    expect(slim.length % 4).to.equal(0);
    expect(dropTables(slim)).to.deep.equal(slim);
  });

  it('drops the names of glyphs only where there are none', () => {
    const named = Buffer.from(whole);
    const entry = Array.from({ length: 40 }, (_, i) => 12 + i * 16).find(
      (at) => named.toString('latin1', at, at + 4) === 'post',
    );
    const post = named.readUInt32BE((entry ?? 0) + 8);
    for (const [version, kept] of [
      [0x00020000, true],
      [0x00030000, false],
    ] as const) {
      named.writeUInt32BE(version, post);
      expect(tables(dropTables(named) ?? new Uint8Array(12)).has('post')).to.equal(kept);
    }
  });

  it('says from the beginning of a program how much would be removed', () => {
    const [bytes, slim] = [unusedTableBytes(whole.subarray(0, DIRECTORY_BYTES)), dropTables(whole) ?? new Uint8Array()];
    // Besides, the table of glyph names and what fills tables up to four bytes.
    expect(whole.length - slim.length - bytes).to.be.within(0, 100);
    expect(bytes).to.be.above(1000);
    expect(unusedTableBytes(slim)).to.equal(0);
  });

  it('leaves other programs and damaged ones alone', () => {
    const [cff, longer, shared] = [Buffer.from(whole), Buffer.from(whole), Buffer.from(whole)];
    cff.write('OTTO', 'latin1');
    longer.writeUInt16BE(0xffff, 4);
    // Every table is the whole file.
    for (let entry = 12; entry < 12 + shared.readUInt16BE(4) * 16; entry += 16) {
      shared.writeUInt32BE(0, entry + 8);
      shared.writeUInt32BE(shared.length, entry + 12);
    }
    for (const program of [cff, longer, shared, whole.subarray(0, 8), whole.subarray(0, 4000), new Uint8Array()])
      expect(dropTables(program)).to.equal(undefined);
    for (const program of [cff, longer, new Uint8Array()]) expect(unusedTableBytes(program)).to.equal(0);
  });
});
