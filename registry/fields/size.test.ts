import { expect } from 'chai';
import { parseSize } from './size.js';

describe('parseSize', () => {
  it('reads units of 1024 in any letter case, spaces and a decimal comma', () => {
    expect(['25KB', '1.5 mb', '1,5MB', '800b', '2gb', ' 1 TB '].map(parseSize)).to.deep.equal([
      25 * 1024,
      1.5 * 1024 ** 2,
      1.5 * 1024 ** 2,
      800,
      2 * 1024 ** 3,
      1024 ** 4,
    ]);
  });

  it('reads a number without a unit as megabytes and rounds down', () => {
    expect(['10', '0.1', '0.0015KB'].map(parseSize)).to.deep.equal([10 * 1024 ** 2, 104857, 1]);
  });

  it('rejects everything else', () => {
    expect(['', 'KB', '-5MB', '5 PB', '1e3', '5MB!', '9'.repeat(15) + 'TB'].map(parseSize)).to.deep.equal(
      Array.from({ length: 7 }, () => undefined),
    );
  });
});
