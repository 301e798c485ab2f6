import type { CatalogOperation } from '@quire/catalog';
import type { Availability, Principal, SettingsReader } from '@quire/registry';
import { operationDisabled, type AvailabilityTable, type Guard } from '../access/index.js';
import { installCommand } from '../engines/programs/index.js';

export interface CallerAvailabilityDeps {
  readonly guard: Pick<Guard, 'refusal'>;
  availability(): AvailabilityTable;
  readonly settings: SettingsReader;
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
  const programs = found.missing.length > 0 && !(await deps.takenElsewhere([entry])) ? found.missing : [];
  const settings = (entry.operation.needs?.settings ?? []).filter((name) => !isSet(deps.settings, name));
  const reasons = [
    ...(programs.length === 0 ? [] : [`It needs ${programs.join(' and ')}, which is not installed on the server.`]),
    ...(settings.length === 0 ? [] : [`It is not set up on this server: set ${settings.join(' and ')}.`]),
  ];
  if (reasons.length === 0) return { state: 'available' };
  return {
    state: 'missing',
    reason: reasons.join(' '),
    missing: [
      ...programs.map((name) => ({ name, install: installCommand(name) })),
      ...settings.map((name) => ({ name })),
    ],
  };
}

function isSet(settings: SettingsReader, path: string): boolean {
  try {
    const value = settings.get(path);
    return value !== undefined && value !== null && value !== false && value !== '';
  } catch {
    // A plugin may name a setting that this version of the server does not have.
    return false;
  }
}
