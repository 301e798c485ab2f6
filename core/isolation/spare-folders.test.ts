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
    let count = 0;

    beforeEach(() => {
      own = join(base, 'own');
      secret = join(base, 'secret');
      mkdirSync(own);
      mkdirSync(secret);
      writeFileSync(join(secret, 'key.pdf'), 'a key');
      spares = new SpareFolders(own, 'task', 2);
      makeFolder(join(runs, 'a'));
    });

    const begin = (): TaskFiles =>
      TaskFiles.create({ root: join(own, String(count++)), temporary: runs, uid: undefined, spares });

    it('gives the reported results of a task, also those in a folder, to the run and keeps its folders', async () => {
      const run = join(runs, 'a');
      writeFileSync(join(run, 'f0'), 'an upload');
      for (const text of ['first', 'second']) {
        const files = begin();
        const folder = files.outputs(run);
        mkdirSync(join(folder, 'folder0'), { recursive: true });
        expect(readdirSync(join(folder, 'folder0'))).to.deep.equal([]);
        expect(readdirSync(folder)).to.deep.equal(['folder0']);
        const named = ['folder0/result.pdf', 'out0', 'deep/er/out1'].map((name) => join(folder, name));
        mkdirSync(join(folder, 'deep', 'er'), { recursive: true });
        for (const path of [...named, join(folder, 'folder0', 'left'), join(folder, 'left')]) writeFileSync(path, text);
        const results = files.results([...named, ...named.slice(0, 1)]);
        expect(results[3]).to.equal(results[0]);
        await files.takeBack();
        expect(new Set(results).size).to.equal(3);
        for (const path of results) expect(readFileSync(path, 'utf8')).to.equal(text);
        expect(readdirSync(own)).to.have.length(1);
      }
      expect(readdirSync(run)).to.have.length(7);
      expect(readFileSync(join(run, 'f0'), 'utf8')).to.equal('an upload');
    });

    it('moves hundreds of results with their folder, without the links among them', async () => {
      const run = join(runs, 'a');
      const files = begin();
      const folder = files.outputs(run);
      const paths = Array.from({ length: 100 }, (_, n) => join(folder, `out${n}`));
      for (const path of paths) writeFileSync(path, 'result');
      symlinkSync(join(secret, 'key.pdf'), join(folder, 'out100'));
      expect(refusal(() => files.results([...paths, join(folder, 'out100')]))).to.include('outside its own folder');
      const results = files.results(paths);
      await files.takeBack();
      for (const path of results) expect(readFileSync(path, 'utf8')).to.equal('result');
      const [moved = ''] = readdirSync(run);
      expect(readdirSync(join(run, moved))).to.have.length(100);
      expect(existsSync(join(secret, 'key.pdf'))).to.equal(true);
      const next = begin();
      expect(readdirSync(next.outputs(run))).to.deep.equal([]);
      await next.takeBack();
    });

    it('removes what a task wrote and did not report', async () => {
      const files = begin();
      const folder = files.outputs(join(runs, 'a'));
      writeFileSync(join(folder, 'out0'), 'x');
      await files.takeBack();
      expect(readdirSync(join(runs, 'a'))).to.deep.equal([]);
      expect(readdirSync(begin().outputs(join(runs, 'a')))).to.deep.equal([]);
    });

    for (const [what, plant, name] of [
      [
        'a link in place of a result',
        (folder: string) => symlinkSync(join(secret, 'key.pdf'), join(folder, 'out0')),
        'out0',
      ],
      [
        'a link in place of a folder of results',
        (folder: string) => symlinkSync(secret, join(folder, 'folder0')),
        'folder0/key.pdf',
      ],
      [
        'a link in place of the folder for results',
        (folder: string) => {
          rmSync(folder, { recursive: true });
          symlinkSync(secret, folder);
        },
        'key.pdf',
      ],
      ['a folder in place of a result', (folder: string) => mkdirSync(join(folder, 'out0')), 'out0'],
      ['a result that is not there', () => undefined, 'out0'],
    ] as const)
      it(`refuses ${what}`, async () => {
        const run = join(runs, 'a');
        const files = begin();
        const folder = files.outputs(run);
        plant(folder);
        files.results([join(folder, name)]);
        const failed = await files.takeBack().then(
          () => undefined,
          (error: Error) => error,
        );
        expect(failed).to.be.an('error');
        expect(readdirSync(run)).to.deep.equal([]);
        expect(readFileSync(join(secret, 'key.pdf'), 'utf8')).to.equal('a key');
      });

    it('refuses a result with dots in its path', async () => {
      const files = begin();
      const folder = files.outputs(join(runs, 'a'));
      for (const path of [`${folder}/../../../secret/key.pdf`, join(secret, 'key.pdf'), folder, `${folder}//out0`])
        expect(
          refusal(() => files.results([path])),
          path,
        ).to.include('outside its own folder');
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
