import { expect } from 'chai';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FreeNames, numbered, withSuffix } from './free-names.js';

describe('Free names', () => {
  it('are reserved once, also with many calls at once, and again after they are released', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'quire-names-'));
    try {
      const names = new FreeNames();
      await writeFile(join(folder, 'a(2).pdf.report.json'), '');
      const given = await Promise.all(
        Array.from({ length: 5 }, () => names.reserve(folder, 'a.pdf', ['.report.json'])),
      );
      expect([...given].sort()).to.deep.equal(['a(1).pdf', 'a(3).pdf', 'a(4).pdf', 'a(5).pdf', 'a.pdf']);
      names.release(folder, 'a(4).pdf', ['.report.json']);
      expect(await new FreeNames().reserve(folder, 'a.pdf')).to.equal('a.pdf');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('fit into the limits of file systems', () => {
    const long = `${'ü'.repeat(125)}.pdf`;
    expect([
      Buffer.byteLength(numbered(long, 12)),
      numbered(long, 12).endsWith('(12).pdf'),
      numbered('a.pdf', 0),
      numbered('noextension', 1),
      numbered('.x', 1),
    ]).to.deep.equal([254, true, 'a.pdf', 'noextension(1)', '.x(1)']);
    expect(Buffer.byteLength(withSuffix('n'.repeat(255), '.report.json'))).to.equal(255);
  });
});
