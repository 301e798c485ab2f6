import { expect } from 'chai';
import { link, mkdir, mkdtemp, readFile, readdir, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from '@quire/registry';
import { FreeNames } from '../folders/free-names.js';
import { FolderProblem } from './folder-problem.js';
import { finishRun, putBack, removePartFiles } from './finish-run.js';
import { RunJournal, partPrefix } from './run-journal.js';
import type { ScanSettings } from './scan-settings.js';

const log: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
} as unknown as Logger;

describe('A run of a watched folder', () => {
  let base: string;
  let watched: string;
  let finished: string;
  let names: FreeNames;
  const deps = (
    existingOutputs: 'number' | 'overwrite' = 'number',
  ): { log: Logger; names: FreeNames; settings: ScanSettings } => ({
    log,
    names,
    settings: { existingOutputs } as ScanSettings,
  });
  const tree = async (): Promise<string[]> =>
    (await readdir(base, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => `${join(entry.parentPath, entry.name).slice(base.length + 1)}`)
      .sort();
  const text = (path: string): Promise<string> => readFile(join(base, path), 'utf8');

  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'quire-run-'));
    [watched, finished, names] = [join(base, 'w'), join(base, 'f'), new FreeNames()];
    for (const folder of [join(watched, 'processing'), finished]) await mkdir(folder, { recursive: true });
  });
  afterEach(() => rm(base, { recursive: true, force: true }));

  /** A run whose end is decided but not started: two inputs, two outputs. */
  async function decided(): Promise<RunJournal> {
    const journal = RunJournal.prepare(
      join(watched, 'processing'),
      ['a.pdf', 'b.pdf'].map((name) => ({ name, mark: '' })),
      [finished],
      new Date(),
    );
    await journal.create();
    for (const name of ['a.pdf', 'b.pdf']) await writeFile(join(journal.inputs, name), `input ${name}`);
    const outputs = ['one.pdf', 'two.pdf'].map((name, index) => ({
      part: join(finished, `${partPrefix(journal.record.id)}${index}.part`),
      target: join(finished, name),
    }));
    for (const { part, target } of outputs) await writeFile(part, `output of ${target.slice(base.length + 1)}`);
    const end = (name: string, folder: string): object => ({
      name,
      folder: join(watched, folder),
      keptAs: name,
      reportAs: `${name}.report.json`,
      report: `report of ${name}`,
    });
    await journal.update({ ending: { outputs, inputs: [end('a.pdf', 'done'), end('b.pdf', 'failed')] as never } });
    return journal;
  }
  const ended = [
    'f/one.pdf',
    'f/two.pdf',
    'w/done/a.pdf',
    'w/done/a.pdf.report.json',
    'w/failed/b.pdf',
    'w/failed/b.pdf.report.json',
  ];

  it('ends the same after a crash at any point once its end is decided', async () => {
    // All steps of finishing, in order; a server may die after any of them.
    const steps = (journal: RunJournal): (() => Promise<unknown>)[] => [
      ...(journal.record.ending?.outputs ?? []).map(
        ({ part, target }) =>
          () =>
            rename(part, target),
      ),
      ...['a.pdf done', 'b.pdf failed'].flatMap((line) => {
        const [name = '', folder = ''] = line.split(' ');
        return [
          () => mkdir(join(watched, folder)),
          () => writeFile(join(watched, folder, `${name}.report.json`), `report of ${name}`),
          () => rename(join(journal.inputs, name), join(watched, folder, name)),
        ];
      }),
      () => rm(journal.inputs, { recursive: true }),
    ];
    for (let killedAfter = 0; killedAfter <= 9; killedAfter++) {
      const journal = await decided();
      for (const step of steps(journal).slice(0, killedAfter)) await step();
      const again = await RunJournal.open(journal.folder);
      if (again === undefined) throw new Error('the journal is lost');
      await finishRun(deps(), again);
      expect(await tree(), `killed after ${killedAfter}`).to.deep.equal(ended);
      expect(
        await Promise.all([text('f/one.pdf'), text('w/done/a.pdf'), text('w/failed/b.pdf.report.json')]),
      ).to.deep.equal(['output of f/one.pdf', 'input a.pdf', 'report of b.pdf']);
      await rm(join(watched, 'done'), { recursive: true });
      await rm(join(watched, 'failed'), { recursive: true });
      for (const name of ['one.pdf', 'two.pdf']) await unlink(join(finished, name));
    }
  });

  it('replaces no file that was given one of its names meanwhile', async () => {
    const journal = await decided();
    await writeFile(join(finished, 'one.pdf'), 'of somebody else');
    await mkdir(join(watched, 'done'));
    await writeFile(join(watched, 'done', 'a.pdf'), 'of somebody else');
    await finishRun(deps(), journal);
    expect(await tree()).to.deep.equal([
      'f/one(1).pdf',
      'f/one.pdf',
      'f/two.pdf',
      'w/done/a(1).pdf',
      'w/done/a(1).pdf.report.json',
      'w/done/a.pdf',
      'w/failed/b.pdf',
      'w/failed/b.pdf.report.json',
    ]);
    expect(
      await Promise.all([text('f/one.pdf'), text('f/one(1).pdf'), text('w/done/a.pdf'), text('w/done/a(1).pdf')]),
    ).to.deep.equal(['of somebody else', 'output of f/one.pdf', 'of somebody else', 'input a.pdf']);
  });

  it('replaces no file that another server creates at the same moment', async () => {
    const runs: RunJournal[] = [];
    const watchedHere = watched;
    for (let server = 0; server < 4; server++) {
      watched = join(base, `w${server}`);
      await mkdir(join(watched, 'processing'), { recursive: true });
      runs.push(await decided());
    }
    watched = watchedHere;
    await Promise.all(runs.map((journal) => finishRun({ ...deps(), names: new FreeNames() }, journal)));
    expect((await readdir(finished)).sort()).to.deep.equal(
      ['one', 'two'].flatMap((name) => [`${name}(1).pdf`, `${name}(2).pdf`, `${name}(3).pdf`, `${name}.pdf`]),
    );
  });

  it('does not give a second name to an output that was renamed before a crash', async () => {
    const journal = await decided();
    await writeFile(join(finished, 'one.pdf'), 'of somebody else');
    const [one, two] = journal.record.ending?.outputs ?? [];
    await link(one?.part ?? '', join(finished, 'one(1).pdf'));
    await link(two?.part ?? '', join(finished, 'two.pdf'));
    await finishRun(deps(), journal);
    expect((await readdir(finished)).sort()).to.deep.equal(['one(1).pdf', 'one.pdf', 'two.pdf']);
  });

  it('waits while the disk does not respond, and does not treat files as missing', async () => {
    const journal = await decided();
    await rename(finished, join(base, 'away'));
    await writeFile(finished, 'a path that cannot be looked into');
    const fault = await finishRun(deps(), journal).catch((error: unknown) => error);
    expect(fault).to.have.property('code', 'ENOTDIR');
    expect(await readdir(journal.inputs)).to.have.length(2);
    await unlink(finished);
    await rename(join(base, 'away'), finished);
    await finishRun(deps(), journal);
    expect(await tree()).to.deep.equal(ended);
  });

  it('with an unreadable journal is not treated as one that never started', async () => {
    const folder = join(watched, 'processing', 'run-y');
    await mkdir(join(folder, 'run.json'), { recursive: true });
    expect(await RunJournal.open(folder).catch((error: unknown) => error)).to.have.property('code', 'EISDIR');
    expect(await RunJournal.open(join(watched, 'processing', 'run-none'))).to.equal(undefined);
  });

  it('replaces outputs of the same name if the operator wants that', async () => {
    const journal = await decided();
    await writeFile(join(finished, 'one.pdf'), 'older');
    await finishRun(deps('overwrite'), journal);
    expect(await tree()).to.deep.equal(ended);
    expect(await text('f/one.pdf')).to.equal('output of f/one.pdf');
  });

  it('deletes inputs only if its end says so', async () => {
    const journal = await decided();
    const { ending } = journal.record;
    if (ending === undefined) throw new Error('no end');
    await journal.update({ ending: { ...ending, inputs: [{ name: 'a.pdf' }, ending.inputs[1] ?? { name: '' }] } });
    await finishRun(deps(), journal);
    expect(await tree()).to.deep.equal(ended.filter((path) => !path.startsWith('w/done')));
  });

  it('puts back an input that its journal does not know', async () => {
    const journal = await decided();
    await writeFile(join(journal.inputs, 'stranger.pdf'), 'x');
    await finishRun(deps(), journal);
    expect(await tree()).to.deep.equal([...ended, 'w/stranger.pdf']);
  });

  it('moves nothing through a link in the place of done', async () => {
    const journal = await decided();
    await mkdir(join(base, 'elsewhere'));
    await symlink(join(base, 'elsewhere'), join(watched, 'done'));
    const fault = await finishRun(deps(), journal).catch((error: unknown) => error);
    expect(fault).to.be.instanceOf(FolderProblem);
    expect(await readdir(join(base, 'elsewhere'))).to.deep.equal([]);
    expect(await text(`w/processing/run-${journal.record.id}/in/a.pdf`)).to.equal('input a.pdf');
  });

  it('that was interrupted leaves no part file and puts its inputs back next to new files of their names', async () => {
    const journal = await decided();
    await removePartFiles(journal);
    await writeFile(join(watched, 'a.pdf'), 'a newer one');
    await putBack(deps(), watched, journal);
    expect(await tree()).to.deep.equal(['w/a(1).pdf', 'w/a.pdf', 'w/b.pdf']);
    expect(await text('w/a(1).pdf')).to.equal('input a.pdf');
  });

  it('has a journal that is either whole or missing', async () => {
    const folder = join(watched, 'processing', 'run-x');
    await mkdir(folder);
    for (const broken of ['', '{', '{"version":1}', '{"version":2,"inputs":[]}', 'null']) {
      await writeFile(join(folder, 'run.json'), broken);
      expect(await RunJournal.open(folder), broken).to.equal(undefined);
    }
  });
});
