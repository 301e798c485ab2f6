import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { link, mkdir, mkdtemp, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { contextForTest, DeliveryForTest, validated } from '../../../../test/suites/connectors.js';
import { mountsDisks, smallDisk } from '../../../../test/suites/small-disk.js';
import { loadSettings } from '../../../settings/index.js';
import type { DeliveredFile } from '../model.js';
import { folderDestination } from './folder-destination.js';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

describe('A result that nobody else needs', function () {
  this.timeout(180_000);
  let base: string;
  let out: string;
  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'quire-linked-'));
    out = join(base, 'out');
    for (const folder of [out, join(base, 'results'), join(base, 'taken')]) await mkdir(folder);
  });
  afterEach(() => rm(base, { recursive: true, force: true }));

  const result = async (content: Buffer | string, linkable = true): Promise<DeliveredFile> => {
    const path = join(base, 'results', randomBytes(4).toString('hex'));
    await writeFile(path, content);
    return { path, name: 'out.pdf', size: content.length, mediaType: 'application/pdf', linkable };
  };
  const deliver = async (file: DeliveredFile, delivery: ReturnType<DeliveryForTest['attempt']>): Promise<void> => {
    const settings = loadSettings({ env: { POLICIES_ALLOWEDFOLDERROOTS: base }, cwd: base });
    const kind = folderDestination({ settings, clock: { now: () => new Date() } });
    const open = await kind.open(validated(kind, { directory: out }), contextForTest());
    await open.deliver(file, delivery);
  };
  /** As after a crash before the file has got its name; returns the part file. */
  const cutOff = async (file: DeliveredFile, delivery: DeliveryForTest): Promise<string> => {
    await deliver(file, delivery.attempt({ call: 1, stored: true })).catch(() => undefined);
    const [part = '', ...more] = await readdir(out);
    expect([part.startsWith('.quire-part-'), more]).to.deep.equal([true, []]);
    return join(out, part);
  };

  it('gets another name on the same disk, and stays when its own name is removed', async () => {
    const file = await result('content');
    await deliver(file, new DeliveryForTest('one').attempt());
    expect((await stat(join(out, 'out.pdf'))).ino).to.equal((await stat(file.path)).ino);
    await rm(file.path);
    expect(await readdir(out)).to.deep.equal(['out.pdf']);
    expect(await readFile(join(out, 'out.pdf'), 'utf8')).to.equal('content');
  });

  it('is copied when others need it too', async () => {
    const file = await result('content', false);
    await deliver(file, new DeliveryForTest('one').attempt());
    await writeFile(join(out, 'out.pdf'), 'changed');
    expect(await readFile(file.path, 'utf8')).to.equal('content');
  });

  // Not a skipped test: nothing that could be installed would let it run.
  const onSmallDisk = mountsDisks() ? it : () => undefined;
  onSmallDisk('is copied to another disk', async () => {
    const unmount = smallDisk(out);
    try {
      await deliver(await result('content'), new DeliveryForTest('one').attempt());
      expect(await readFile(join(out, 'out.pdf'), 'utf8')).to.equal('content');
      expect(await readdir(out)).to.deep.equal(['out.pdf']);
    } finally {
      unmount();
    }
  });

  it('replaces a part file that an earlier attempt has left without remembering it', async () => {
    const delivery = new DeliveryForTest('one');
    await deliver(await result('old'), delivery.attempt({ call: 1, stored: false })).catch(() => undefined);
    await deliver(await result('new'), delivery.attempt());
    expect(await readdir(out)).to.deep.equal(['out.pdf']);
    expect(await readFile(join(out, 'out.pdf'), 'utf8')).to.equal('new');
  });

  for (const kept of [true, false])
    it(`is delivered after a crash before it had its name${kept ? '' : ', also when the result was made again'}`, async () => {
      const delivery = new DeliveryForTest('one');
      const file = await result('content');
      await cutOff(file, delivery);
      if (!kept) await rm(file.path);
      await deliver(kept ? file : await result('content'), delivery.attempt());
      expect(await readdir(out)).to.deep.equal(['out.pdf']);
    });

  for (const name of ['out.pdf', 'taken.pdf'])
    it(`is not delivered again after a crash when it had its name (then ${name})`, async () => {
      const delivery = new DeliveryForTest('one');
      const file = await result('content');
      const part = await cutOff(file, delivery);
      await link(part, join(out, 'out.pdf'));
      await rename(join(out, 'out.pdf'), join(out, name));
      await deliver(file, delivery.attempt());
      expect(await readdir(out)).to.deep.equal([name]);
    });

  it('is not delivered again after a crash when it had its name and the result was made again', async () => {
    const delivery = new DeliveryForTest('one');
    const file = await result('content');
    await link(await cutOff(file, delivery), join(out, 'out.pdf'));
    await rm(file.path);
    await deliver(await result('content'), delivery.attempt());
    expect(await readdir(out)).to.deep.equal(['out.pdf']);
  });

  it('is delivered once, however often the server is killed while somebody takes the files away', async () => {
    const files = 60;
    const content = randomBytes(3000);
    for (let n = 0; n < files; n++) await writeFile(join(base, 'results', String(n)), content);
    let kills = 0;
    let taken = 0;
    const take = async (): Promise<void> => {
      for (const name of await readdir(out))
        if (!name.startsWith('.')) await rename(join(out, name), join(base, 'taken', String(taken++)));
    };
    for (let ended = false; !ended;) {
      const args = [
        '--import',
        'tsx',
        join(root, 'test', 'suites', 'delivery-child.ts'),
        base,
        String(files),
        '',
        'linked',
      ];
      const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
      const exit = once(child, 'exit') as Promise<[number | null]>;
      let left = randomInt(1, 9);
      const cut = kills < 12;
      child.stdout.on('data', (chunk: Buffer) => {
        left -= chunk.toString().split('\n').length - 1;
        if (cut && left <= 0) setTimeout(() => child.kill('SIGKILL'), randomInt(0, 12));
      });
      let running = true;
      void exit.then(() => (running = false));
      while (running) {
        await take();
        await delay(1);
      }
      const [code] = await exit;
      ended = code === 0;
      if (!ended) expect(code, 'killed, not failed').to.equal(null);
      if (!ended) kills += 1;
    }
    await take();
    expect(taken).to.equal(files);
    expect(await readdir(out)).to.deep.equal([]);
    for (let n = 0; n < files; n++)
      expect((await readFile(join(base, 'taken', String(n)))).equals(content)).to.equal(true);
    expect(kills).to.be.greaterThan(0);
  });
});
