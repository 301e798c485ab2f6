import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';
import { decodeUtf16Le } from '../../../file/charsets/index.js';

const source = join(import.meta.dirname, '../../../file/charsets/utf-16.ts');

/** Decodes texts of every odd length up to some thousand, each from an odd address. */
const MANY = `
  const { decodeUtf16Le } = await import(${JSON.stringify(source)});
  const bytes = Buffer.alloc(10_001, 'A');
  for (let length = 1; length < 10_000; length += 2) decodeUtf16Le(bytes.subarray(1, 1 + length));
  console.log('all decoded');
`;

describe('UTF-16LE', () => {
  it('is decoded with its byte order mark, from odd addresses too', () => {
    const bytes = Buffer.concat([Buffer.from([0]), Buffer.from('\uFEFFZürich 東京 \u{1F4C4}', 'utf16le')]);
    expect(decodeUtf16Le(bytes.subarray(1))).to.equal('\uFEFFZürich 東京 \u{1F4C4}');
    expect(decodeUtf16Le(new Uint8Array(0))).to.equal('');
  });

  it('is decoded without half a unit at its end', () => {
    const bytes = Buffer.from('xA\0B\0C', 'latin1');
    expect(decodeUtf16Le(bytes.subarray(1))).to.equal('AB');
    expect(decodeUtf16Le(bytes.subarray(1, 2))).to.equal('');
  });

  it('does not damage the memory of the process when half a unit is at its end', () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '--eval', MANY],
      { encoding: 'utf8' },
    );
    expect([status, stdout.trim()], stderr).to.deep.equal([0, 'all decoded']);
  });
});
