import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { definePlugin } from '@quire/registry';
import { collectConformance } from './collect-conformance.js';

describe('a plugin whose sources are compiled', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'quire-compiled-'));
    write('package.json', JSON.stringify({ name: 'quire-plugin-stamps', exports: { '.': './dist/index.js' } }), 0);
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  /** Writes a file that was changed this many seconds after the others. */
  function write(path: string, text: string, seconds: number): void {
    const target = join(root, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
    utimesSync(target, 1_700_000_000 + seconds, 1_700_000_000 + seconds);
  }

  async function faults(): Promise<string[]> {
    const all = await collectConformance(definePlugin({ operations: [] }), root, []);
    return all.map((fault) => fault.split('\n')[0] ?? '');
  }

  it('is tested when its output is newer than its sources', async () => {
    write('src/index.ts', '', 0);
    write('dist/index.js', '', 1);
    expect(await faults()).to.deep.equal([]);
  });

  it('stops the conformance kit after an edit that was not compiled', async () => {
    write('dist/index.js', '', 1);
    write('src/index.ts', '', 0);
    write('src/functions/draw.ts', '', 2);
    expect(await faults()).to.deep.equal([
      'before: Error: quire-plugin-stamps: dist is older than src/functions/draw.ts, and the conformance kit starts a ' +
        'server that loads dist: run npm run build',
    ]);
  });

  it('is tested when the compiler found that an edit changes no output', async () => {
    write('dist/index.js', '', 0);
    write('src/index.ts', '', 1);
    write('tsconfig.tsbuildinfo', '', 2);
    expect(await faults()).to.deep.equal([]);
  });

  it('may have newer tests and types in its sources', async () => {
    write('dist/index.js', '', 0);
    write('src/draw.test.ts', '', 1);
    write('src/qr.d.ts', '', 1);
    write('src/README.md', '', 1);
    expect(await faults()).to.deep.equal([]);
  });

  it('stops the conformance kit before the first compilation', async () => {
    write('src/index.ts', '', 0);
    expect(await faults()).to.deep.equal(['before: Error: quire-plugin-stamps is not compiled: run npm run build']);
  });
});
