import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { inspectPdf } from '../file/inspection/index.js';
import { makeRichPdf } from './support.js';

const run = promisify(execFile);
const example = (name: string): string => fileURLToPath(new URL(`../examples/${name}.mjs`, import.meta.url));

describe('the examples of the document library', function () {
  this.timeout(60_000);
  let folder: string;
  const at = (name: string): string => join(folder, name);
  const call = async (name: string, ...args: string[]): Promise<string> =>
    (await run(process.execPath, [example(name), ...args])).stdout;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-examples-'));
    await writeFile(at('in.pdf'), await makeRichPdf('A', 4));
  });
  after(() => rm(folder, { recursive: true }));

  it('inspect a document', async () =>
    expect(await call('inspect', at('in.pdf')))
      .to.match(/pages: 4/)
      .and.to.match(/\d+ 0: <</));

  it('rotate pages', async () => {
    expect(await call('rotate-pages', at('in.pdf'), at('turned.pdf'))).to.equal('4 pages rotated\n');
    expect((await inspectPdf({ path: at('turned.pdf') })).pages).to.equal(4);
  });

  it('merge documents', async () => {
    await call('merge', at('joined.pdf'), at('in.pdf'), at('in.pdf'));
    expect((await inspectPdf({ path: at('joined.pdf') })).pages).to.equal(8);
  });

  it('extract pages', async () => {
    await call('extract-pages', at('in.pdf'), at('part.pdf'), '1', '3');
    expect((await inspectPdf({ path: at('part.pdf') })).pages).to.equal(2);
  });

  it('encrypt a document', async () => {
    await call('encrypt', at('in.pdf'), at('locked.pdf'), 'secret');
    expect(await inspectPdf({ path: at('locked.pdf') }, { allowLocked: true })).to.include({
      opensWithoutPassword: false,
    });
    expect(await inspectPdf({ path: at('locked.pdf') }, { password: 'secret' })).to.include({
      pages: 4,
      encrypted: true,
    });
  });
});
