import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DefectError } from '@quire/registry';
import { expect } from 'chai';
import {
  dropFolder,
  keepSpareFolders,
  makeFolder,
  removeSpareFolders,
  SpareFolders,
  useOnce,
} from './spare-folders.js';
import { TaskFiles } from './task-files.js';

/** Says why something was refused. */
function refusal(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return String((error as DefectError).data['detail']);
  }
  return 'not refused';
}

describe('spare folders', () => {
  let base: string;
  let runs: string;

  beforeEach(async () => {
    base = mkdtempSync(join(tmpdir(), 'spare-'));
    runs = join(base, 'runs');
    mkdirSync(runs);
    await keepSpareFolders(runs);
  });

  afterEach(async () => {
    await removeSpareFolders(runs);
    rmSync(base, { recursive: true, force: true });
  });

  const spare = (): string[] => readdirSync(join(base, 'spare'));

  it('uses an emptied folder again under another name', async () => {
    makeFolder(join(runs, 'a'));
    await dropFolder(join(runs, 'a'));
    expect(existsSync(join(runs, 'a'))).to.equal(false);
    expect(spare()).to.have.length(1);
    makeFolder(join(runs, 'b'));
    expect(spare()).to.deep.equal([]);
    expect(readdirSync(join(runs, 'b'))).to.deep.equal([]);
  });

  it('keeps folders inside the folder of a run too', async () => {
    makeFolder(join(runs, 'a'));
    makeFolder(join(runs, 'a', '0'));
    await dropFolder(join(runs, 'a', '0'));
    await dropFolder(join(runs, 'a'));
    expect(spare()).to.have.length(2);
  });

  it('removes a folder that a confined process has had', async () => {
    makeFolder(join(runs, 'a'));
    makeFolder(join(runs, 'a', '0'));
    useOnce(join(runs, 'a'));
    await dropFolder(join(runs, 'a', '0'));
    await dropFolder(join(runs, 'a'));
    expect(readdirSync(runs)).to.deep.equal([]);
    expect(spare()).to.deep.equal([]);
  });

  it('makes a new folder when somebody has removed the spare ones', async () => {
    makeFolder(join(runs, 'a'));
    await dropFolder(join(runs, 'a'));
    rmSync(join(base, 'spare'), { recursive: true });
    makeFolder(join(runs, 'b'));
    expect(existsSync(join(runs, 'b'))).to.equal(true);
  });

  it('does not remove a folder with something in it', async () => {
    makeFolder(join(runs, 'a'));
    rmSync(join(base, 'spare'), { recursive: true });
    writeFileSync(join(runs, 'a', 'f'), 'x');
    const failed = await dropFolder(join(runs, 'a')).then(
      () => 'removed',
      (error: NodeJS.ErrnoException) => error.code,
    );
    expect(failed).to.equal('ENOTEMPTY');
  });

  describe('of a worker', () => {
    let own: string;
    let secret: string;
    let spares: SpareFolders;
    let outputs: SpareFolders;
    let count = 0;

    beforeEach(() => {
      own = join(base, 'own');
      secret = join(base, 'secret');
      mkdirSync(own);
      mkdirSync(secret);
      writeFileSync(join(secret, 'key.pdf'), 'a key');
      spares = new SpareFolders(own, 'task', 2);
      outputs = new SpareFolders(own, 'outputs', 2);
      makeFolder(join(runs, 'a'));
    });

    const begin = (): TaskFiles =>
      TaskFiles.create({ root: join(own, String(count++)), temporary: runs, uid: undefined, spares, outputs });

    it('gives the results of a task, also those in a folder, to the run and keeps its folders', async () => {
      for (const text of ['first', 'second']) {
        const run = join(runs, 'a', text);
        makeFolder(run);
        const files = begin();
        const folder = await files.outputs(run);
        mkdirSync(join(folder, 'folder0'), { recursive: true });
        writeFileSync(join(folder, 'folder0', 'result.pdf'), text);
        writeFileSync(join(folder, 'out0'), text);
        expect(files.result(join(folder, 'folder0', 'result.pdf'))).to.equal(join(run, 'folder0', 'result.pdf'));
        await files.takeBack();
        expect(readFileSync(join(run, 'folder0', 'result.pdf'), 'utf8')).to.equal(text);
        expect(readFileSync(join(run, 'out0'), 'utf8')).to.equal(text);
        expect(readdirSync(own)).to.have.length(2);
      }
    });

    it('moves hundreds of results with their folder, without the links among them', async () => {
      const run = join(runs, 'a', 'many');
      makeFolder(run);
      const files = begin();
      const folder = await files.outputs(run);
      for (let n = 0; n < 100; n++) writeFileSync(join(folder, `out${n}`), String(n));
      symlinkSync(join(secret, 'key.pdf'), join(folder, 'out100'));
      expect(refusal(() => files.result(join(folder, 'out100')))).to.include('outside its own folder');
      await files.takeBack();
      expect(readdirSync(run)).to.have.length(100);
      expect(existsSync(join(secret, 'key.pdf'))).to.equal(true);
    });

    for (const [what, plant] of [
      ['a link in place of a result', (folder: string) => symlinkSync(join(secret, 'key.pdf'), join(folder, 'out0'))],
      ['a link in place of a folder of results', (folder: string) => symlinkSync(secret, join(folder, 'folder0'))],
    ] as const)
      it(`refuses ${what}`, async () => {
        const run = join(runs, 'a', 'run');
        makeFolder(run);
        const files = begin();
        plant(await files.outputs(run));
        const failed = await files.takeBack().then(
          () => undefined,
          (error: Error) => error,
        );
        expect(failed).to.be.an('error');
        expect(readdirSync(run)).to.deep.equal([]);
        expect(readFileSync(join(secret, 'key.pdf'), 'utf8')).to.equal('a key');
      });

    it('refuses a result with dots in its path', async () => {
      const run = join(runs, 'a', 'run');
      makeFolder(run);
      const files = begin();
      const folder = await files.outputs(run);
      expect(refusal(() => files.result(`${folder}/../../../secret/key.pdf`))).to.include('outside its own folder');
      await files.takeBack();
    });

    it('does not follow a link that was put in place of a spare folder', async () => {
      await begin().takeBack();
      const [name] = readdirSync(own);
      rmSync(join(own, String(name)), { recursive: true });
      symlinkSync(secret, join(own, String(name)));
      expect(begin).to.throw();
      expect(readdirSync(secret)).to.deep.equal(['key.pdf']);
    });
  });
});
