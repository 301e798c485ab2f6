/** What was measured of a cluster on its store (`npm run bench -- cluster`). */
export interface MeasuredCost {
  /** Commands to the store for one job from its submission to its result, without the polls of the client. */
  readonly operationsPerJob: number;
  /** Bytes over the wire of the store for one job, both ways, beside the files themselves. */
  readonly bytesPerJob: number;
  /** How often a byte of a job's files crosses the wire of the store: uploads and results go in once and out once. */
  readonly fileCrossings: number;
  /** Commands of a node that has nothing to do, in a second: heartbeat, looking for work, upkeep. */
  readonly idleOperationsPerSecond: number;
  /** Commands of one poll of a client. */
  readonly operationsPerPoll: number;
}

/** What the cluster is asked to carry. */
export interface ClusterLoad {
  readonly nodes: number;
  /** Jobs that one node does in a second when it is busy: its places divided by the seconds of a job. */
  readonly jobsPerNodeSecond: number;
  /** Bytes of a job's uploads and results together. */
  readonly fileBytes: number;
  /** Polls of a client for each job. */
  readonly pollsPerJob: number;
}

/** What a store can carry. Figures of the operator's own machine belong here. */
export interface StoreCapacity {
  /** Small commands in a second; about half of them write. */
  readonly operationsPerSecond: number;
  /** Bytes in a second over its network and its disks, whichever is slower. */
  readonly bytesPerSecond: number;
  readonly connections: number;
  /** Rows of one queue that can be locked in a second: searches for the next row meet at its front. */
  readonly claimsPerSecond: number;
}

/** Demand and capacity of one thing, and what helps when it runs out. */
export interface Burden {
  readonly what: string;
  readonly demand: number;
  readonly capacity: number;
  readonly unit: string;
  readonly remedy: string;
}

/** Connections that a busy node keeps open: its places, its upkeep, and the driver's two for watching the server. */
const connectionsPerNode = 8;

/** What a cluster asks of its store, the scarcest first. */
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
        'maxPoolSize in store.mongodb.url; fewer and larger nodes (jobs.concurrency), each of which keeps the ' +
        'same few connections',
    },
    {
      what: 'rows taken from the queue',
      unit: '/s',
      capacity: capacity.claimsPerSecond,
      demand: jobs + load.nodes * Math.min(1, cost.idleOperationsPerSecond),
      remedy:
        'nodes for kinds of work (a LibreOffice group, an OCR group), which look for different rows; then one ' +
        'cluster for each group of users',
    },
  ];
  return list.sort((a, b) => b.demand / b.capacity - a.demand / a.capacity);
}

/** Nodes that the store carries at this load before its scarcest resource runs out. */
export function nodesUntilFull(cost: MeasuredCost, load: Omit<ClusterLoad, 'nodes'>, capacity: StoreCapacity): number {
  const [first] = burdens(cost, { ...load, nodes: 1 }, capacity);
  // Every burden grows with the number of nodes alone.
  return first === undefined ? 0 : Math.floor(first.capacity / first.demand);
}
