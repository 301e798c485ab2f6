import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ClusterNode } from './verification/cluster/cluster-node.js';
import { findStoreProgram, StoreServer } from './verification/cluster/store-server.js';
import { WireMeter } from './verification/cluster/wire-meter.js';
import { ValkeyServer, valkeyProgram } from './test/suites/valkey-server.js';
const seconds = Number(process.argv[3] ?? 60);
for (const mode of (process.argv[2] ?? 'plain,streams,valkey').split(',')) {
  const folder = await mkdtemp('/tmp/w-nodes-x/idle-');
  const store = await StoreServer.start(await findStoreProgram(), folder, { changeStreams: mode === 'streams' });
  const meters: WireMeter[] = []; const nodes: ClusterNode[] = [];
  const valkey = mode === 'valkey' ? await ValkeyServer.start(valkeyProgram()!) : undefined;
  const secret = randomBytes(32).toString('hex');
  for (const [name, role] of [['api', 'api'], ['worker', 'worker']] as const) {
    const meter = await WireMeter.start(store.port); meters.push(meter);
    nodes.push(await ClusterNode.start({ database: 'quire_bench', secret, storeUrl: meter.url, name, role, base: join(folder, name),
      env: { LIMITS_WORKERS: '1', JOBS_CONCURRENCY: '1', ...(valkey ? { CLUSTER_BACKPLANE: 'valkey', CLUSTER_VALKEY_URL: valkey.url } : {}) } }));
  }
  await delay(5000);
  for (const m of meters) m.reset();
  await delay(seconds * 1000);
  let all = 0;
  for (const [i, m] of meters.entries()) {
    const c = [...m.read().byCollection].sort((a, b) => b[1] - a[1]);
    all += c.filter(([n]) => !/^(hello|is[mM]aster)/.test(n)).reduce((s, [, n]) => s + n, 0);
    console.log(mode, ['api', 'worker'][i], c.map(([n, k]) => `${n}: ${(k / seconds).toFixed(2)}`).join(', '));
  }
  console.log(mode, 'both without hello', (all / seconds).toFixed(2), '/s');
  for (const n of nodes) await n.end('SIGTERM');
  for (const m of meters) await m.close();
  await store.kill(); await valkey?.kill(); await rm(folder, { recursive: true, force: true });
}
process.exit(0);
