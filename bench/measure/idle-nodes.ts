import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { valkeyProgram, ValkeyServer } from '../../test/suites/valkey-server.js';
import { ClusterNode } from '../../verification/cluster/cluster-node.js';
import { StoreServer } from '../../verification/cluster/store-server.js';
import { WireMeter, type WireCount } from '../../verification/cluster/wire-meter.js';
import { benchFolder } from './inputs.js';

/** How nodes hear of one another: by asking, by change streams of the store, or through Valkey. */
export type News = 'asking' | 'change streams' | 'valkey';

const SETTLE_MS = 5000;

/** The commands of a count that are not the driver's own. */
export function commandsOf(count: WireCount): number {
  return [...count.commands]
    .filter(([name]) => !['hello', 'isMaster', 'ismaster', 'endSessions'].includes(name))
    .reduce((sum, [, times]) => sum + times, 0);
}

/**
 * Commands per second that an api node and a worker node send to the store together while nothing happens, and the most
 * frequent of them; undefined where this machine has no Valkey, or no store that has change streams right away.
 */
export async function idleNodes(
  program: string,
  news: News,
  seconds: number,
): Promise<{ readonly perSecond: number; readonly most: string } | undefined> {
  const valkeyPath = news === 'valkey' ? valkeyProgram() : undefined;
  if (news === 'valkey' && valkeyPath === undefined) return undefined;
  if (news === 'change streams' && !program.endsWith('mongo-java-server')) return undefined;
  const folder = await mkdtemp(join(benchFolder, 'idle-nodes-'));
  const ends: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    const store = await StoreServer.start(program, folder, { changeStreams: news === 'change streams' });
    ends.push(() => store.kill('SIGTERM'));
    const meter = await WireMeter.start(store.port);
    ends.push(() => meter.close());
    const valkey = valkeyPath === undefined ? undefined : await ValkeyServer.start(valkeyPath);
    ends.push(async () => valkey?.kill());
    const env = valkey === undefined ? {} : { CLUSTER_BACKPLANE: 'valkey', CLUSTER_VALKEY_URL: valkey.url };
    const secret = randomBytes(32).toString('hex');
    for (const role of ['api', 'worker'] as const) {
      const base = join(folder, role);
      const shared = { database: 'quire_idle', secret, storeUrl: meter.url, env };
      const node = await ClusterNode.start({ ...shared, name: role, role, base });
      ends.push(() => node.end('SIGTERM'));
    }
    await delay(SETTLE_MS);
    meter.reset();
    await delay(seconds * 1000);
    const count = meter.read();
    const most = [...count.byCollection]
      .filter(([name]) => !/^(?:hello|ismaster)/i.test(name))
      .sort((a, b) => b[1] - a[1])
      .slice(0, 5)
      .map(([name, times]) => `${name} ${(times / seconds).toFixed(2)}`);
    return { perSecond: commandsOf(count) / seconds, most: most.join(', ') };
  } finally {
    for (const end of ends.reverse()) await end();
  }
}
