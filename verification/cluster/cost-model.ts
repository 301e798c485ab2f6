/** Costs measured on a cluster with a store (`npm run bench -- cluster`). */
export interface MeasuredCost {
  /** Commands to the store for one job from submission to result, without the client's polls. */
  readonly operationsPerJob: number;
  /** Bytes to and from the store for one job, without the files themselves. */
  readonly bytesPerJob: number;
  /**
   * How often a byte of a job's files crosses the network of the store: uploads and results are written once and read
   * once.
   */
  readonly fileCrossings: number;
  /** Commands per second of an idle node: heartbeat, looking for work, maintenance. */
  readonly idleOperationsPerSecond: number;
  /** Commands for one poll of a client. */
  readonly operationsPerPoll: number;
}

/** The load on the cluster. */
export interface ClusterLoad {
  readonly nodes: number;
  /** Jobs per second of one busy node: its concurrency divided by the seconds of a job. */
  readonly jobsPerNodeSecond: number;
  /** Bytes of a job's uploads and results together. */
  readonly fileBytes: number;
  /** Polls of a client for each job. */
  readonly pollsPerJob: number;
}

/** Capacity of a store. Figures of the operator's own machine belong here. */
export interface StoreCapacity {
  /** Small commands per second; about half of them write. */
  readonly operationsPerSecond: number;
  /** Bytes per second over its network or its disks, whichever is slower. */
  readonly bytesPerSecond: number;
  readonly connections: number;
  /** Rows of one queue that can be locked per second: searches for the next row compete for its front. */
  readonly claimsPerSecond: number;
}

/** Demand and capacity of one resource, and the remedy when it runs out. */
export interface Burden {
  readonly what: string;
  readonly demand: number;
  readonly capacity: number;
  readonly unit: string;
  readonly remedy: string;
}

/**
 * Connections that a busy node keeps open: one per concurrent job, maintenance, and the driver's two for monitoring the
 * server.
 */
const connectionsPerNode = 8;

/** Demand of a cluster on its store, the scarcest resource first. */
export function burdens(cost: MeasuredCost, load: ClusterLoad, capacity: StoreCapacity): Burden[] {
  const jobs = load.nodes * load.jobsPerNodeSecond;
  const list: Burden[] = [
    {
      what: 'commands',
      unit: '/s',
      capacity: capacity.operationsPerSecond,
      demand:
        jobs * (cost.operationsPerJob + load.pollsPerJob * cost.operationsPerPoll) +
        load.nodes * cost.idleOperationsPerSecond,
      remedy:
        'clients use job/{id}/events instead of polls; a longer cluster.node.heartbeatIntervalMs; then a ' +
        'larger machine for the store, or one cluster for each group of users',
    },
    {
      what: 'bytes over the wire',
      unit: ' MB/s',
      capacity: capacity.bytesPerSecond / 1e6,
      demand: (jobs * (cost.bytesPerJob + cost.fileCrossings * load.fileBytes)) / 1e6,
      remedy:
        'a faster network and disks for the store; small files by direct calls, which never touch it; GridFS ' +
        'sharded by files_id',
    },
    {
      what: 'connections',
      unit: '',
      capacity: capacity.connections,
      demand: load.nodes * connectionsPerNode,
      remedy:
        'maxPoolSize in store.mongodb.url; fewer and larger nodes (jobs.concurrency), each of which uses the ' +
        'same few connections',
    },
    {
      what: 'rows taken from the queue',
      unit: '/s',
      capacity: capacity.claimsPerSecond,
      demand: jobs + load.nodes * Math.min(1, cost.idleOperationsPerSecond),
      remedy:
        'nodes for groups of work (a LibreOffice group, an OCR group), which look for different rows; then one ' +
        'cluster for each group of users',
    },
  ];
  return list.sort((a, b) => b.demand / b.capacity - a.demand / a.capacity);
}

/** Number of nodes at this load before the store's scarcest resource runs out. */
export function nodesUntilFull(cost: MeasuredCost, load: Omit<ClusterLoad, 'nodes'>, capacity: StoreCapacity): number {
  const [first] = burdens(cost, { ...load, nodes: 1 }, capacity);
  // Every demand grows in proportion to the number of nodes.
  return first === undefined ? 0 : Math.floor(first.capacity / first.demand);
}
