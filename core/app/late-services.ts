import type { Catalog } from '@quire/catalog';
import type { Endpoint } from '@quire/registry';
import type { AvailabilityTable, SwitchBoard } from '../access/index.js';
import type { PipelineService } from '../operations/pipelines/index.js';
import type { Runner } from '../operations/runner/index.js';
import type { Containers } from './bindings.js';
import { late } from './late.js';
import type { LifeCycle } from './life-cycle.js';

/**
 * Services that are created after the features that call them: the catalog rejects plugins whose addresses collide with
 * endpoints of features, and everything that runs operations needs the catalog.
 */
export function lateServices() {
  return {
    catalog: late<Catalog>('the catalog'),
    ownEndpoints: late<readonly Endpoint[]>('the list of endpoints'),
    availability: late<AvailabilityTable>('the availability table'),
    switches: late<SwitchBoard>('the switch board'),
    containers: late<Containers>('the services of plugins'),
    runner: late<Runner>('the runner'),
    pipelines: late<PipelineService>('the pipeline service'),
    life: late<LifeCycle>('the life cycle'),
  };
}
