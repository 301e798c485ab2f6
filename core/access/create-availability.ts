import { setTimeout as delay } from 'node:timers/promises';
import type { Catalog } from '@quire/catalog';
import type { Clock, Endpoint, Logger } from '@quire/registry';
import {
  programNames,
  programTable,
  type ProgramInfo,
  type ProgramName,
  type ProgramSupervisor,
} from '../engines/programs/index.js';
import type { Backplane } from '../jobs/backplane/index.js';
import { shortOrigin, type Settings } from '../settings/index.js';
import type { Store } from '../store/index.js';
import { AvailabilityTable } from './availability.js';
import { SwitchBoard, type SwitchRecord } from './switches.js';

/**
 * How long the start waits for the switches of a shared store, ms. Until they have been read, operations answer
 * STORE_DOWN.
 */
const FIRST_READ_MS = 3000;

export interface CreateAvailabilityDeps {
  readonly catalog: Catalog;
  readonly endpoints: readonly Endpoint[];
  readonly settings: Settings;
  readonly programs: ProgramSupervisor;
  readonly store: Store;
  readonly log: Logger;
  readonly clock: Clock;
  readonly backplane: Backplane;
}

export interface AvailabilityFeature {
  readonly availability: AvailabilityTable;
  readonly switches: SwitchBoard;
  /** Reads the switches. Call it before the server listens. */
  start(): Promise<void>;
  stop(): void;
}

/** Creates the availability table from the settings, the programs found and the switches in the store. */
export function createAvailability(deps: CreateAvailabilityDeps): AvailabilityFeature {
  const { catalog, endpoints, settings, programs, store, log, clock, backplane } = deps;
  const switches = new SwitchBoard({
    records: store.records<SwitchRecord>('switches'),
    log,
    clock,
    backplane,
    shared: store.kind === 'mongodb',
  });
  const groupOf = (program: string): string | undefined =>
    (programTable as Readonly<Record<string, ProgramInfo | undefined>>)[program]?.toolGroup;
  const availability = new AvailabilityTable({
    catalog,
    endpoints,
    switches,
    settings: {
      toRemove: settings.get('endpoints.toRemove'),
      groupsToRemove: settings.get('endpoints.groupsToRemove'),
      disabled: [...catalog.operations.values()]
        .filter(({ overrides }) => !overrides.enabled)
        .map(({ operation }) => operation.path),
      urlToPdf: settings.get('system.enableUrlToPDF'),
      enterprise: settings.get('licence.tier') === 'enterprise',
      origin: (key) => shortOrigin(settings.origin(key)),
    },
    hasProgram: (name) => programs.has(name),
    toolGroupOf: groupOf,
    programsOf: (group): ProgramName[] => programNames.filter((name) => groupOf(name) === group),
  });
  return {
    availability,
    switches,
    start: () => Promise.race([switches.start(), delay(FIRST_READ_MS, undefined, { ref: false })]),
    stop: () => switches.stop(),
  };
}
