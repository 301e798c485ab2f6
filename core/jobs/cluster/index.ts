export { nodeRole, type NodeRole } from './node-role.js';
export { needsOf, splitNeed, mayRun, unmet, digestOf, READS_ATTACHED, type Needs } from './needs.js';
export { Leases, type Lease, type LeaseRecord } from './leases.js';
export { ClusterNodes, type AbilitiesRecord, type NodeRecord, type NodesDeps } from './nodes.js';
export { SteadyClock } from './steady-clock.js';
export { ServerSlot, type SlotDeps, type SlotRecord } from './server-slot.js';
