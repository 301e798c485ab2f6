import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findStoreProgram, StoreServer } from '../cluster/store-server.js';
import { audit, folderOf, type Audit } from './audit.js';
import { feed, makeMix, pipelines, type FolderName } from './file-mix.js';
import { WatchedServer } from './watched-server.js';

/** Size of the test. */
export interface FolderTestOptions {
  readonly files: number;
  /** Minimum number of kills; they continue until all files have been put in. */
  readonly kills: number;
  /** Maximum number of kills, which continue until every input has been processed; default: `kills`. */
  readonly mostKills?: number;
  /** Mean milliseconds between the first result after a start and the next kill. */
  readonly everyMs: number;
  /** Milliseconds over which the files arrive. */
  readonly feedMs: number;
  /** Milliseconds after the last kill within which everything must have been processed. */
  readonly patienceMs: number;
  readonly settleMs: number;
  /** Servers that watch the folders, on one MongoDB if there are several; default 1. */
  readonly nodes?: number;
  readonly keep?: boolean;
  readonly say?: (text: string) => void;
}

/** Result of a test. */
export interface FolderTestRun extends Audit {
  readonly files: number;
  readonly nodes: number;
  readonly kills: number;
  readonly seconds: number;
  readonly everyMs: number;
  readonly settleMs: number;
  /** The folder of the test, if it was kept. */
  readonly base?: string;
}

/**
 * Puts files into three watched folders while the servers are killed again and again, and checks the outcome of each.
 * Rejects when a server does not start.
 */
export async function runFolderTest({
  files: count,
  kills: least,
  mostKills: most = least,
  everyMs,
  feedMs,
  patienceMs,
  settleMs,
  nodes = 1,
  keep = false,
  say = () => undefined,
}: FolderTestOptions): Promise<FolderTestRun> {
  const base = await mkdtemp(join(tmpdir(), 'quire-folders-'));
  const watched = join(base, 'pipeline', 'watchedFolders');
  const started = performance.now();
  const servers: WatchedServer[] = [];
  let store: StoreServer | undefined;
  let kept = true;
  try {
    for (const [name, definition] of Object.entries(pipelines)) {
      await mkdir(join(watched, name), { recursive: true });
      await writeFile(join(watched, name, `${name}.folder-scan.json`), JSON.stringify(definition));
    }
    const files = await makeMix(count);
    say(`creating ${count} files`);
    store = nodes > 1 ? await StoreServer.start(await findStoreProgram(), join(base, 'store')) : undefined;
    const settings = {
      ...(store === undefined
        ? {}
        : { store: { mongodb: { url: store.url, database: 'folders' }, secret: '0123456789abcdef'.repeat(4) } }),
      limits: { workers: 2 },
      system: {
        customPaths: {
          pipeline: { watchedFoldersDir: watched, finishedFoldersDir: join(base, 'pipeline', 'finishedFolders') },
        },
      },
      autoPipeline: {
        otherFiles: 'fail',
        parallel: 2,
        sweepSeconds: 2,
        fileReadiness: { settleTimeMillis: settleMs, sizeCheckDelayMillis: Math.min(500, settleMs / 4) },
      },
    };
    for (let node = 0; node < nodes; node++)
      servers.push(
        await WatchedServer.start(node === 0 ? base : join(base, `node-${node}`), ['@quire/plugin-general'], settings),
      );
    let fed = false;
    const writtenAt = new Map<number, number>();
    const feeding = Promise.all(
      files.map(async (file, index) => {
        await delay((feedMs * index) / files.length);
        await feed(file, folderOf(watched, file.folder), settleMs);
        writtenAt.set(file.number, Date.now());
      }),
    ).finally(() => {
      fed = true;
    });
    let kills = 0;
    for (
      let before = await left(watched);
      kills < least || !fed || (kills < most && before > 0);
      before = await left(watched)
    ) {
      // A busy machine starts slowly: each start gets the time to finish one input, and is killed at a random moment
      // after it.
      const patience = performance.now() + 10_000;
      while (fed && before > 0 && performance.now() < patience && (await left(watched)) >= before) await delay(20);
      await delay(everyMs * Math.random() * 2);
      const server = servers[Math.floor(Math.random() * servers.length)];
      await server?.end('SIGKILL');
      kills += 1;
      await server?.start();
      say(`kill ${kills}; ${await left(watched)} inputs are left`);
    }
    await feeding;
    const until = performance.now() + patienceMs;
    while (performance.now() < until && (await left(watched)) > 0) await delay(100);
    const seconds = (performance.now() - started) / 1000;
    await Promise.all(servers.map((server) => server.end('SIGTERM')));
    const result = await audit(files, watched, join(base, 'pipeline', 'finishedFolders'), writtenAt);
    kept = keep || result.problems.length > 0;
    return { ...result, files: count, nodes, kills, seconds, everyMs, settleMs, ...(kept ? { base } : {}) };
  } finally {
    await Promise.all(servers.map((server) => server.end('SIGKILL')));
    await store?.kill();
    if (!kept) await rm(base, { recursive: true, force: true });
  }
}

/** Counts the inputs that have not been processed, in the watched folders and in runs. */
async function left(watched: string): Promise<number> {
  const counts = await Promise.all(
    (Object.keys(pipelines) as FolderName[]).map(async (name) => {
      const folder = folderOf(watched, name);
      const here = (await readdir(folder, { withFileTypes: true })).filter(
        (entry) => entry.isFile() && !entry.name.endsWith('.json') && !entry.name.startsWith('.'),
      );
      const runs = (await readdir(join(folder, 'processing')).catch(() => [])).filter((run) => run.startsWith('run-'));
      return here.length + runs.length;
    }),
  );
  return counts.reduce((sum, value) => sum + value, 0);
}
