export { nodeRole, type NodeRole, type NodeRoleName } from './node-role.js';
export { needsOf, splitNeed, mayRun, unmet, digestOf, type Abilities, type Needs } from './needs.js';
export { Leases, type Lease, type LeaseRecord } from './leases.js';
export { ClusterNodes, type AbilitiesRecord, type ClusterNode, type NodeRecord, type NodesDeps } from './nodes.js';
export { SteadyClock } from './steady-clock.js';
export { ServerSlot, type SlotDeps, type SlotRecord } from './server-slot.js';
