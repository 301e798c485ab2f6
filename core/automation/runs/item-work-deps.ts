import type { Automation } from '../automations/model.js';
import type { EngineDeps } from './engine-deps.js';
import type { OpenConnectors } from './open-connectors.js';
import type { PreparedWork } from './prepared-work.js';

export interface ItemWorkDeps extends EngineDeps {
  readonly automation: Automation;
  readonly connectors: OpenConnectors;
  readonly prepared: PreparedWork;
  readonly signal: AbortSignal;
  /** The source must be listed again: one of its files was finished, or has changed. */
  listAgain(sourceId: string): void;
}
