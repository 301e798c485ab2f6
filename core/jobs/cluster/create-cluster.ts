import type { Catalog, CatalogOperation } from '@quire/catalog';
import type { Logger } from '@quire/registry';
import type { AvailabilityTable } from '../../access/index.js';
import {
  ClusterNodes,
  Leases,
  SteadyClock,
  needsOf,
  READS_ATTACHED,
  type AbilitiesRecord,
  type LeaseRecord,
  type Needs,
  type NodeRecord,
  type NodeRole,
} from './index.js';
import type { Backplane } from '../backplane/index.js';
import type { JobCluster } from '../index.js';
import type { ProgramSupervisor } from '../../engines/programs/index.js';
import type { Settings } from '../../settings/index.js';
import type { Store } from '../../store/index.js';

/** Catalog and availability are functions because they are created after the cluster. */
export interface CreateClusterDeps {
  readonly settings: Settings;
  readonly store: Store;
  readonly log: Logger;
  readonly programs: ProgramSupervisor;
  readonly role: NodeRole;
  readonly backplane: Backplane;
  readonly version: string;
  readonly pool: { stats(): { readonly busy: number; readonly size: number } };
  catalog(): Catalog;
  availability(): AvailabilityTable;
}

export interface Cluster {
  readonly nodes: ClusterNodes;
  readonly leases: Leases;
  readonly jobs: JobCluster;
  /** Returns what a node must have to run these operations. */
  needsOf(entries: readonly CatalogOperation[]): Needs;
  /** Resolves to true when another node would run a job of these operations that this node cannot run. */
  takenElsewhere(entries: readonly CatalogOperation[]): Promise<boolean>;
}

export function createCluster({
  settings,
  store,
  log,
  programs,
  role,
  backplane,
  version,
  pool,
  catalog,
  availability,
}: CreateClusterDeps): Cluster {
  const shared = store.kind === 'mongodb';
  const clock = new SteadyClock();
  const leases = new Leases({ records: store.records<LeaseRecord>('leases'), now: () => clock.now() });
  const nodes = new ClusterNodes({
    records: store.records<NodeRecord>('nodes', { keys: ['seenAtMs'] }),
    abilities: store.records<AbilitiesRecord>('node_abilities', { keys: ['usedAtMs'] }),
    log,
    clock,
    role,
    backplane,
    version,
    shared,
    serverTime: () => store.serverTime(),
    id: settings.get('cluster.node.id'),
    ...nodeAddress(settings),
    heartbeatMs: settings.get('cluster.node.heartbeatIntervalMs'),
    programs: () =>
      programs
        .list()
        .filter(({ path }) => path !== undefined)
        .map(({ name }) => name),
    load: () => {
      const { busy, size } = pool.stats();
      return { busyWorkers: busy, workers: size, memoryBytes: process.memoryUsage.rss() };
    },
    operations: () => abilitiesOf(catalog(), availability(), programs),
  });
  const needs = (entries: readonly CatalogOperation[]): Needs =>
    needsOf(entries.map(({ operation, plugin }) => ({ path: operation.path, version: plugin.version })));
  return {
    nodes,
    leases,
    needsOf: needs,
    takenElsewhere: async (entries) => shared && (await nodes.unmetAnywhere(needs(entries))).length === 0,
    jobs: {
      runsJobs: role.runsJobs,
      clock,
      leases,
      unmetHere: (wanted) => nodes.unmetHere(wanted),
      unmetAnywhere: (wanted) => nodes.unmetAnywhere(wanted),
      readAttached: () => nodes.allHave(READS_ATTACHED.path),
      sweep: () => nodes.sweep(),
    },
  };
}

function nodeAddress(settings: Settings): { readonly address?: string } {
  const address = settings.get('cluster.node.internalAddress').trim();
  return address === '' ? {} : { address: `${settings.get('cluster.node.scheme')}://${address}` };
}

/**
 * Returns what this node can do: all operations except those that lack a program or that its own settings switch off. A
 * switch in the store applies to every node, so it does not count here: a job that meets it ends with
 * OPERATION_DISABLED instead of waiting for another node.
 */
function abilitiesOf(
  catalog: Catalog,
  availability: AvailabilityTable,
  programs: ProgramSupervisor,
): Map<string, string> {
  const able = [...catalog.operations.values()].filter((entry) => {
    const { reason, decidedBy } = availability.of(entry);
    return (
      reason === null ||
      (reason === 'CONFIG' &&
        decidedBy.startsWith('switch ') &&
        (entry.operation.needs?.programs ?? []).every((name) => programs.has(name)))
    );
  });
  return new Map([
    [READS_ATTACHED.path, READS_ATTACHED.version],
    ...able.map(({ operation, plugin }) => [operation.path, plugin.version] as const),
  ]);
}
