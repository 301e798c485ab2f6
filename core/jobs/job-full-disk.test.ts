import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeOf } from '../../test/suites/code-of.js';
import { completed, jobRequest, testJobService, until } from '../../test/suites/job-harness.js';
import { mountsDisks, smallDisk } from '../../test/suites/small-disk.js';
import { openStore, type Blobs, type Store } from '../store/index.js';
import { layOutInputs } from './files/job-inputs.js';

/** Blobs without paths, as in a store that servers share: inputs of jobs are copied to the disk of the node. */
function withoutPaths(blobs: Blobs): Blobs {
  return new Proxy(blobs, {
    get: (target, member) => {
      if (member === 'path') return () => undefined;
      if (member === 'area') return (name: string) => withoutPaths(target.area(name));
      const found: unknown = Reflect.get(target, member, target);
      return typeof found === 'function' ? found.bind(target) : found;
    },
  });
}

/**
 * Runs work while every new file in a folder is one on which the system refuses each write with ENOSPC. A disk that is
 * really full needs rights that not every machine of the tests gives.
 */
async function whileFull(folder: string, work: () => Promise<void>): Promise<void> {
  const { createWriteStream } = fs;
  fs.createWriteStream = (path, options) =>
    String(path).startsWith(folder) ? createWriteStream('/dev/full') : createWriteStream(path, options);
  syncBuiltinESMExports();
  try {
    await work();
  } finally {
    fs.createWriteStream = createWriteStream;
    syncBuiltinESMExports();
  }
}

describe('A disk that is full while the inputs of a job are copied to it', function () {
  this.timeout(60_000);
  let folder: string;
  let temporary: string;
  let store: Store;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-full-'));
    temporary = join(folder, 'temporary');
    await mkdir(temporary);
    const opened = await openStore({ kind: 'embedded', folder: join(folder, 'store') });
    store = { ...opened, blobs: withoutPaths(opened.blobs) };
  });
  afterEach(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });
  const upload = async (size: number): Promise<string> => {
    const path = join(folder, 'upload');
    await writeFile(path, randomBytes(size));
    return path;
  };

  it('is reported as a full disk, and nothing of the inputs stays', async () => {
    const { id } = await store.blobs.put(await upload(100_000));
    const stored = [{ field: 'fileInput', name: 'a.pdf', kind: 'pdf', blobId: id }];
    await whileFull(temporary, async () => {
      expect(await codeOf(layOutInputs(store.blobs, stored, { isCached: true, temporaryFolder: temporary }))).to.equal(
        'STORAGE_FULL',
      );
    });
    expect(await readdir(temporary)).to.deep.equal([]);
    const laidOut = await layOutInputs(store.blobs, stored, { isCached: true, temporaryFolder: temporary });
    expect(await readFile(laidOut.inputs[0]?.path ?? '')).to.have.length(100_000);
    await laidOut.remove();
  });

  it('lets the job wait that was given to it', async () => {
    const jobs = testJobService(
      store,
      async ({ inputs }) => ({ files: [], json: inputs.length }),
      {},
      {
        temporaryFolder: temporary,
      },
    );
    await jobs.recover();
    try {
      const input = { field: 'fileInput', name: 'a.pdf', kind: 'pdf', path: await upload(1000) };
      let jobId = '';
      await whileFull(temporary, async () => {
        ({ jobId } = await jobs.start(jobRequest({ inputs: [input] })));
        await until(async () => {
          const { status, returns } = (await jobs.get(jobId)) ?? expect.fail('the job is gone');
          expect(status).to.be.oneOf(['queued', 'running']);
          return returns > 0 ? true : undefined;
        });
      });
      expect(await completed(jobs, jobId)).to.deep.include({ status: 'succeeded', result: 1 });
    } finally {
      await jobs.close();
    }
  });

  // Not a skipped test: nothing that could be installed would let it run.
  const onSmallDisk = mountsDisks() ? it : () => undefined;
  onSmallDisk('is used again once there is space', async () => {
    const unmount = smallDisk(temporary);
    try {
      const { id } = await store.blobs.put(await upload(600_000));
      const stored = [{ field: 'fileInput', name: 'a.pdf', kind: 'pdf', blobId: id }];
      await writeFile(join(temporary, 'filling'), randomBytes(700_000));
      expect(await codeOf(layOutInputs(store.blobs, stored, { isCached: true, temporaryFolder: temporary }))).to.equal(
        'STORAGE_FULL',
      );
      expect(await readdir(temporary)).to.deep.equal(['filling']);
      await rm(join(temporary, 'filling'));
      expect(
        (await layOutInputs(store.blobs, stored, { isCached: true, temporaryFolder: temporary })).inputs,
      ).to.have.length(1);
    } finally {
      unmount();
    }
  });
});
