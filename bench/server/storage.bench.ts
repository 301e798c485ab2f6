import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { memoryOf } from '../../verification/corpus/built-server.js';
import { sessionOf } from '../../test/http/support/login.js';
import { makeBase, startProcess } from '../../test/http/support/process.js';
import { contentOf, digestOf, downloadLarge, uploadLarge } from '../../test/http/support/storage-load.js';
import type { Bench } from '../measure/bench.js';
import { benchFolder } from '../measure/inputs.js';
import { peakOf, resetPeak } from '../measure/peak.js';
import { mb, ms, timed } from '../measure/statistics.js';

const CALLS = 20;
const BYTES = 200 * 1024 * 1024;
const TARGET_MB = 150;

/**
 * Twenty clients store 200 MB each, then twenty download them, then both at once; measures the peak memory of the main
 * process.
 */
export const storedFiles: Bench = {
  name: 'storage',
  run: async () => {
    const base = makeBase({
      security: { enableLogin: true, initialLogin: { username: 'boss', password: 'password of boss' } },
      storage: { enabled: true },
      limits: { workers: 1 },
    });
    const server = await startProcess(base);
    const pid = server.child.pid ?? 0;
    try {
      const boss = await sessionOf(server, 'boss', 'password of boss');
      const warm = await uploadLarge(server.url, boss, 0, 1024 * 1024);
      await downloadLarge(server.url, boss, warm?.id ?? 0);
      const seeds = Array.from({ length: CALLS }, (_unused, i) => i + 1);
      const before = (await memoryOf(pid)).rss;
      await resetPeak(pid);
      const ids: number[] = [];
      const up = await timed(async () => {
        for (const file of await Promise.all(seeds.map((seed) => uploadLarge(server.url, boss, seed, BYTES))))
          ids.push(file?.id ?? 0);
      });
      const upPeak = (await peakOf(pid)) - before;
      await resetPeak(pid);
      const digests: string[] = [];
      const down = await timed(
        async () => void digests.push(...(await Promise.all(ids.map((id) => downloadLarge(server.url, boss, id))))),
      );
      const downPeak = (await peakOf(pid)) - before;
      for (const [i, seed] of seeds.entries())
        if (digests[i] !== digestOf(seed, BYTES)) throw new Error(`file ${seed} came back different`);
      await resetPeak(pid);
      const both = await timed(() =>
        Promise.all(
          seeds.map((seed, i) =>
            i % 2 === 0 ? uploadLarge(server.url, boss, seed, BYTES) : downloadLarge(server.url, boss, ids[i] ?? 0),
          ),
        ),
      );
      const bothPeak = (await peakOf(pid)) - before;
      const plain = join(benchFolder, 'content.bin');
      await pipeline(Readable.from(contentOf(1, BYTES)), createWriteStream(plain));
      const copies = await timed(
        async () => void (await Promise.all(seeds.map((seed) => copyFile(plain, `${plain}.${seed}`)))),
      );
      await Promise.all([plain, ...seeds.map((seed) => `${plain}.${seed}`)].map((path) => rm(path, { force: true })));
      const size = Math.round(BYTES / 1024 / 1024);
      const memory = (what: string, peak: number) => ({
        what: `${what}: growth of the main process's peak`,
        ours: mb(peak),
        native: '',
        ratio: undefined,
        target: `≤ ${TARGET_MB} MB`,
        met: peak <= TARGET_MB,
      });
      return [
        {
          what: `${CALLS} uploads of ${size} MB into storage at once: time`,
          ours: ms(up),
          native: `${ms(copies)} (as many copies from disk to disk)`,
          ratio: up / copies,
          target: '',
          met: undefined,
        },
        memory(`${CALLS} uploads of ${size} MB at once`, upPeak),
        {
          what: `${CALLS} downloads of ${size} MB at once, each checked by SHA-256: time`,
          ours: ms(down),
          native: '',
          ratio: undefined,
          target: '',
          met: undefined,
        },
        memory(`${CALLS} downloads of ${size} MB at once`, downPeak),
        memory(`${CALLS / 2} uploads and ${CALLS / 2} downloads of ${size} MB at once (${ms(both)})`, bothPeak),
      ];
    } finally {
      server.child.kill('SIGTERM');
      await server.exit;
      await rm(base, { recursive: true, force: true });
    }
  },
};
