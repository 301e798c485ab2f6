import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ClusterNode } from '../cluster/cluster-node.js';
import { Faults } from '../cluster/faults.js';
import type { StoreServer } from '../cluster/store-server.js';
import type { Outside } from './outside.js';
import { FILLER } from './places.js';

export const faults = {
  none: 'nothing',
  kill: 'kill -9 of nodes',
  store: 'store away',
  s3: 'S3 away',
  mail: 'mail servers away',
  receiver: 'receiver away',
  clock: 'clock jumps',
  disk: 'full disks',
  twice: 'the same content twice, kill -9',
  all: 'kill -9, and all of the others away',
} as const;
export type Fault = keyof typeof faults;

/** What is harmed. */
export interface Stage {
  readonly nodes: readonly ClusterNode[];
  /** Environment of the nodes at their next start. */
  readonly env: Record<string, string>;
  readonly folder: string;
  readonly outside: Outside;
  /** Undefined with embedded stores. */
  readonly store: StoreServer | undefined;
  /** Folders that are small disks of their own. */
  readonly disks: readonly string[];
  readonly clock: JumpingClock;
  say(text: string): void;
}

/** The wall clock of the nodes, as far ahead as was set. */
export class JumpingClock {
  offsetMs = 0;

  readonly now = (): number => Date.now() + this.offsetMs;
}

const AWAY_MS = 10_000;
const CALM_MS = 4000;
/** How often each server is away, and each disk full, while files arrive. */
const ROUNDS = 2;

/** Why a fault cannot be made here; undefined when it can. */
export function missingFor(fault: Fault, { store, disks }: Pick<Stage, 'store' | 'disks'>): string | undefined {
  if (fault === 'store' && store === undefined) return 'the embedded store is a part of the node';
  if (fault === 'disk' && disks.length === 0) return 'only root mounts small disks';
  if (fault === 'clock' && faketime() === undefined) return 'libfaketime is not installed';
  return undefined;
}

/** Makes a fault while files arrive, until the signal is aborted. Resolves to the number of kills when all is back. */
export async function harm(fault: Fault, stage: Stage, signal: AbortSignal): Promise<number> {
  const { nodes, say, outside } = stage;
  if (fault === 'none') return 0;
  if (fault === 'clock') return jumpClock(stage).then(() => 0);
  if (fault === 'disk') return fillDisks(stage, signal).then(() => 0);
  const killer = new Faults(nodes, say);
  const kills = fault === 'kill' || fault === 'twice' || fault === 'all';
  const killing = kills ? killer.killWorkers(5) : Promise.resolve();
  for (let round = 0; round < ROUNDS && !signal.aborted; round++) {
    await delay(CALM_MS);
    if (fault === 's3' || fault === 'all') await away('S3', () => outside.stopS3(), say);
    if (fault === 'mail' || fault === 'all') await away('the mail servers', () => outside.stopMail(), say);
    if (fault === 'receiver' || fault === 'all') await away('the receiver', () => outside.stopReceiver(), say);
    const { store } = stage;
    if (store !== undefined && (fault === 'store' || fault === 'all')) {
      await killer.killStore(store);
      await delay(CALM_MS);
      await killer.freezeStore(store);
    }
  }
  await untilAborted(signal);
  await killer.stop();
  await killing;
  return killer.counts.kills;
}

async function away(what: string, stop: () => Promise<() => Promise<void>>, say: Stage['say']): Promise<void> {
  say(`${what} away for ${AWAY_MS / 1000} s`);
  const start = await stop();
  await delay(AWAY_MS);
  await start();
}

/** Sets the clocks of all nodes forward and back, those of the second two minutes further. */
async function jumpClock({ nodes, env, folder, clock, say }: Stage): Promise<void> {
  const file = (at: number): string => join(folder, `clock-${at}`);
  const set = async (seconds: number): Promise<void> => {
    say(`the clocks jump to ${seconds} s ahead`);
    for (const at of nodes.keys()) await writeFile(file(at), `+${seconds + (seconds === 0 ? 0 : at * 120)}s\n`);
    clock.offsetMs = seconds * 1000;
  };
  await set(0);
  Object.assign(env, {
    LD_PRELOAD: faketime(),
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    FAKETIME_FORCE_MONOTONIC_FIX: '0',
    FAKETIME_CACHE_DURATION: '1',
    // Files keep the time of their disk, as on a file server.
    NO_FAKE_STAT: '1',
  });
  for (const [at, node] of nodes.entries()) {
    Object.assign(env, { FAKETIME_TIMESTAMP_FILE: file(at) });
    await node.end('SIGTERM');
    await node.start();
  }
  for (const seconds of [3 * 3600, -1800, 40 * 86_400, 0]) {
    await delay(CALM_MS * 2);
    await set(seconds);
  }
  await delay(CALM_MS);
  for (const name of Object.keys(env)) if (/FAKE|LD_PRELOAD/.test(name)) delete env[name];
  for (const node of nodes) {
    await node.end('SIGTERM');
    await node.start();
  }
}

function faketime(): string | undefined {
  const folders = existsSync('/usr/lib') ? readdirSync('/usr/lib') : [];
  return folders.map((name) => join('/usr/lib', name, 'faketime', 'libfaketime.so.1')).find((path) => existsSync(path));
}

/** Fills one disk after the other. A node that gives up is started again, as by a supervisor. */
async function fillDisks({ disks, nodes, say }: Stage, signal: AbortSignal): Promise<void> {
  for (let round = 0; round < ROUNDS && !signal.aborted; round++) {
    for (const disk of disks) {
      await delay(CALM_MS);
      say(`${disk} is full for ${AWAY_MS / 1000} s`);
      await fill(join(disk, FILLER));
      // What is freed meanwhile is filled again.
      for (let part = 0; part < 10; part++) {
        await delay(AWAY_MS / 10);
        await fill(join(disk, FILLER));
      }
      await rm(join(disk, FILLER), { force: true });
    }
    for (const node of nodes)
      if (!node.up) {
        say(`node ${node.options.name} has ended and is started again`);
        await node.start();
      }
  }
  await untilAborted(signal);
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

async function fill(path: string): Promise<void> {
  const file = await open(path, 'a');
  try {
    for (const size of [1 << 20, 1 << 14, 1 << 10]) {
      const piece = Buffer.alloc(size);
      while (
        await file.write(piece).then(
          ({ bytesWritten }) => bytesWritten > 0,
          () => false,
        )
      );
    }
  } finally {
    await file.close();
  }
}
