import type { Catalog } from '@quire/catalog';
import type { Clock, Endpoint, Logger } from '@quire/registry';
import { setTimeout as delay } from 'node:timers/promises';
import { AvailabilityTable } from './availability.js';
import { SwitchBoard, type SwitchRecord } from './switches.js';
import {
  programNames,
  programTable,
  type ProgramInfo,
  type ProgramName,
  type ProgramSupervisor,
} from '../engines/programs/index.js';
import { shortOrigin, type Settings } from '../settings/index.js';
import type { Store } from '../store/index.js';

/**
 * Longest wait at the start for a shared store to say what is switched off; until it has, operations answer STORE_DOWN.
 */
const FIRST_LOOK_MS = 3000;

/** What can be called, from settings, programs and the switches in the store. */
export interface Switching {
  readonly availability: AvailabilityTable;
  readonly board: SwitchBoard;
  /** Before the server listens. */
  start(): Promise<void>;
}

/** Puts the availability table on its feet. */
export function makeSwitching(parts: {
  catalog: Catalog;
  endpoints: readonly Endpoint[];
  settings: Settings;
  programs: ProgramSupervisor;
  store: Store;
  log: Logger;
  clock: Clock;
}): Switching {
  const { catalog, endpoints, settings, programs, store, log, clock } = parts;
  const board = new SwitchBoard({
    records: store.records<SwitchRecord>('switches'),
    log,
    clock,
    shared: store.kind === 'mongodb',
  });
  const groupOf = (program: string): string | undefined =>
    (programTable as Readonly<Record<string, ProgramInfo | undefined>>)[program]?.toolGroup;
  const availability = new AvailabilityTable({
    catalog,
    endpoints,
    switches: board,
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
    board,
    start: () => Promise.race([board.start(), delay(FIRST_LOOK_MS, undefined, { ref: false })]),
  };
}
