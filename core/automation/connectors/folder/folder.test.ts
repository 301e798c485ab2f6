import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, readdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeOf } from '../../../../test/suites/code-of.js';
import {
  contextForTest,
  describeDestination,
  describeSource,
  listed,
  validated,
} from '../../../../test/suites/connectors.js';
import { keptLog } from '../../../../test/suites/memory-accounts.js';
import { callsFor, pooledCalls } from '../../../folders/index.js';
import { loadSettings } from '../../../settings/index.js';
import { folderDestination } from './folder-destination.js';
import { folderSource } from './folder-source.js';

const OLD = new Date(Date.now() - 3_600_000);

/**
 * A folder of automations in an allowed root, and another that is not allowed. `own`: the server's own files are on the
 * same disk, so its calls are made at once.
 */
async function folders(own = true) {
  const base = await mkdtemp(join(tmpdir(), 'quire-folders-'));
  const directory = join(base, 'allowed', 'files');
  await mkdir(directory, { recursive: true });
  await mkdir(join(base, 'outside'));
  const settings = loadSettings({
    env: {
      POLICIES_ALLOWEDFOLDERROOTS: join(base, 'allowed'),
      AUTOPIPELINE_FILEREADINESS_SETTLETIMEMILLIS: '1',
      AUTOPIPELINE_FILEREADINESS_SIZECHECKDELAYMILLIS: '20',
    },
    cwd: base,
  });
  if (own) await mkdir(settings.paths.store, { recursive: true });
  expect((await callsFor(directory, settings.paths.store)) === pooledCalls).to.equal(!own);
  const clock = { now: () => new Date(2026, 0, 31, 23, 59, 59) };
  const put = async (name: string, content: Buffer | string): Promise<void> => {
    const path = join(directory, name);
    await writeFile(path, content);
    await utimes(path, OLD, OLD);
  };
  const visible = async (): Promise<string[]> =>
    (await readdir(directory)).filter((name) => !name.startsWith('.')).sort();
  return {
    base,
    directory,
    put,
    visible,
    log: keptLog(),
    settings,
    clock,
    breakDown: () => rename(directory, `${directory}-gone`),
    repair: () => rename(`${directory}-gone`, directory),
    remove: () => rm(base, { recursive: true, force: true }),
  };
}

for (const own of [true, false]) {
  const where = own ? "on the server's disk" : 'on another disk';
  for (const identity of ['stat', 'hash'])
    describeSource(`folder ${where} (identity ${identity})`, async () => {
      const made = await folders(own);
      return {
        kind: folderSource(made),
        options: { directory: made.directory, identity },
        put: made.put,
        change: made.put,
        names: made.visible,
        breakDown: made.breakDown,
        blamed: 'directory',
        close: made.remove,
      };
    });

  describeDestination(`folder ${where}`, async () => {
    const made = await folders(own);
    return {
      kind: folderDestination(made),
      options: { directory: made.directory },
      received: async () =>
        Promise.all(
          (await made.visible()).map(async (name) => ({ name, content: await readFile(join(made.directory, name)) })),
        ),
      breakDown: async () => {
        await made.breakDown();
        await writeFile(made.directory, 'a file in place of the folder');
      },
      repair: async () => {
        await rm(made.directory);
        await made.repair();
      },
      blamed: 'directory',
      close: made.remove,
    };
  });
}

describe('A folder of automations', function () {
  this.timeout(60_000);
  let made: Awaited<ReturnType<typeof folders>>;
  beforeEach(async () => {
    made = await folders();
  });
  afterEach(() => made.remove());

  const names = async (options: object): Promise<string[]> => {
    const kind = folderSource(made);
    const source = await kind.open(validated(kind, { directory: made.directory, ...options }), contextForTest());
    try {
      return (await listed(source)).map(({ key }) => key);
    } finally {
      await source.close();
    }
  };

  it('is read without hidden files, links and files of programs that are still writing', async () => {
    await made.put('a.pdf', 'a');
    for (const name of ['.hidden', 'b.pdf.part', '~$c.docx']) await made.put(name, 'x');
    await writeFile(join(made.base, 'outside', 'secret'), 'secret');
    await symlink(join(made.base, 'outside', 'secret'), join(made.directory, 'link.pdf'));
    await symlink(join(made.base, 'outside'), join(made.directory, 'folder'));
    expect(await names({ recursive: true })).to.deep.equal(['a.pdf']);
  });

  it('is read with the folders in it if that is wanted', async () => {
    await mkdir(join(made.directory, 'deep', 'done'), { recursive: true });
    await mkdir(join(made.directory, '.git'));
    await made.put('deep/done/a.pdf', 'a');
    await made.put('.git/b.pdf', 'b');
    expect(await names({})).to.deep.equal([]);
    expect(await names({ recursive: true })).to.deep.equal(['deep/done/a.pdf']);
  });

  it('keeps its files with mode snapshot', async () => {
    await made.put('a.pdf', 'a');
    const kind = folderSource(made);
    const source = await kind.open(validated(kind, { directory: made.directory, mode: 'snapshot' }), contextForTest());
    const [file] = await listed(source);
    if (file !== undefined) await source.finish(file);
    expect(await made.visible()).to.deep.equal(['a.pdf']);
  });

  it('does not offer a file that a process has open for writing', async function () {
    if (process.platform !== 'linux') this.skip();
    await made.put('a.pdf', 'a');
    await made.put('b.pdf', 'b');
    const holder = spawn('sh', ['-c', 'exec 3>>b.pdf; echo open; exec sleep 20'], {
      cwd: made.directory,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await once(holder.stdout, 'data');
    const meanwhile = await names({});
    const ended = once(holder, 'exit');
    holder.kill('SIGKILL');
    await ended;
    expect([meanwhile, await names({})]).to.deep.equal([['a.pdf'], ['a.pdf', 'b.pdf']]);
  });

  it('lists a file that is being replaced as it was, until its new version is complete', async () => {
    await made.put('a.pdf', 'a');
    const kind = folderSource(made);
    const source = await kind.open(validated(kind, { directory: made.directory }), contextForTest());
    const before = await listed(source);
    const holder = spawn('sh', ['-c', 'exec 3>a.pdf; echo more >&3; echo open; exec sleep 20'], {
      cwd: made.directory,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await once(holder.stdout, 'data');
    const meanwhile = await listed(source);
    const ended = once(holder, 'exit');
    holder.kill('SIGKILL');
    await ended;
    const [after] = await listed(source);
    expect(meanwhile).to.deep.equal(before);
    expect(after?.size).to.equal(5);
    expect(after?.version).not.to.equal(before[0]?.version);
  });

  it('reports files when they arrive, and again when they are complete', async () => {
    const settings = loadSettings({
      env: {
        POLICIES_ALLOWEDFOLDERROOTS: join(made.base, 'allowed'),
        AUTOPIPELINE_FILEREADINESS_SETTLETIMEMILLIS: '300',
        AUTOPIPELINE_FILEREADINESS_SIZECHECKDELAYMILLIS: '1',
      },
      cwd: made.base,
    });
    const kind = folderSource({ settings, log: made.log });
    const options = validated(kind, { directory: made.directory, recursive: true });
    const [watching, listing] = [
      await kind.open(options, contextForTest()),
      await kind.open(options, contextForTest()),
    ];
    await mkdir(join(made.directory, 'deep'));
    let announce: () => void = () => undefined;
    const watch = await watching.watch?.(() => announce());
    const offered = new Promise<string[]>((resolve, reject) => {
      announce = () =>
        void listed(listing).then((files) => {
          if (files.length > 0) resolve(files.map(({ key }) => key));
        }, reject);
    });
    await writeFile(join(made.directory, 'deep', 'new.pdf'), 'new');
    expect(await offered).to.deep.equal(['deep/new.pdf']);
    await watch?.stop();
  });

  it('must be in an allowed folder, links resolved, and outside of the folders of the server', async () => {
    await symlink(join(made.base, 'outside'), join(made.base, 'allowed', 'link'));
    for (const directory of [
      'relative',
      '/etc',
      join(made.base, 'outside'),
      join(made.base, 'allowed', 'link'),
      join(made.base, 'allowed', 'link', 'new'),
      join(made.base, 'allowed', '..', 'outside'),
      made.settings.paths.configs,
      made.settings.paths.store,
    ]) {
      for (const kind of [folderSource(made), folderDestination(made)])
        expect(await codeOf(kind.check(validated(kind, { directory }), contextForTest())), directory).to.match(
          /_INVALID$/,
        );
    }
    expect(await readdir(join(made.base, 'outside'))).to.deep.equal([]);
  });

  it('is not read any more when it becomes a link while the source is open', async () => {
    await made.put('a.pdf', 'a');
    await writeFile(join(made.base, 'outside', 'a.pdf'), 'a');
    const kind = folderSource(made);
    const source = await kind.open(validated(kind, { directory: made.directory }), contextForTest());
    const [file] = await listed(source);
    await made.breakDown();
    await symlink(join(made.base, 'outside'), made.directory);
    expect(await codeOf(listed(source))).to.equal('SOURCE_UNREACHABLE');
    if (file === undefined) throw new Error('the file was not listed');
    expect(await source.fetch(file, join(made.base, 'copy'))).to.equal(undefined);
    expect(await codeOf(source.finish(file))).to.equal('SOURCE_UNREACHABLE');
    expect(await readdir(join(made.base, 'outside'))).to.deep.equal(['a.pdf']);
  });

  it('gives results the names of its pattern', async () => {
    const kind = folderDestination(made);
    const options = validated(kind, { directory: made.directory, filenamePattern: '{date}-{time} {filename}' });
    const open = await kind.open(options, contextForTest());
    const path = join(made.base, 'result');
    await writeFile(path, 'x');
    const note = {
      id: 'a',
      automation: 'Invoices',
      input: null,
      from: async () => null,
      files: 1,
      note: null,
      remember: async () => undefined,
    };
    const { place } = await open.deliver({ path, name: 'a.pdf', size: 1, mediaType: 'application/pdf' }, note);
    expect(place).to.equal(join(made.directory, '20260131-235959 a.pdf'));
  });
});
