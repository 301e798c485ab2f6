import type { CatalogOperation } from '@quire/catalog';
import type { Availability, Principal } from '@quire/registry';
import { operationDisabled, type AvailabilityTable, type Guard } from '../access/index.js';
import { installCommand } from '../engines/programs/index.js';

export interface CallerAvailabilityDeps {
  readonly guard: Pick<Guard, 'refusal'>;
  availability(): AvailabilityTable;
  /** True when another node can run jobs of these operations and this node cannot. */
  takenElsewhere(entries: readonly CatalogOperation[]): Promise<boolean>;
}

/** Returns whether this caller may use an operation now, and if not, why. */
export async function availabilityFor(
  deps: CallerAvailabilityDeps,
  entry: CatalogOperation,
  principal: Principal,
): Promise<Availability> {
  const { path, access } = entry.operation;
  const refusal = deps.guard.refusal(access, principal, { method: 'POST', path: `/api/v1/${path}` });
  if (refusal !== undefined) return { state: refusal.by, reason: refusal.reason };
  const found = deps.availability().of(entry);
  if (found.reason === 'CONFIG') return { state: 'off', reason: operationDisabled(path, found).message };
  if (found.reason !== 'DEPENDENCY' || (await deps.takenElsewhere([entry]))) return { state: 'available' };
  return {
    state: 'missing',
    reason: `It needs ${found.missing.join(' and ')}, which is not installed on the server.`,
    missing: found.missing.map((name) => ({ name, install: installCommand(name) })),
  };
}
