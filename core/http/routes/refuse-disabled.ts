import type { Request } from '@hapi/hapi';
import { AccessError, OperationalError, type SettingsReader } from '@quire/registry';
import { operationDisabled } from '../../access/index.js';
import type { HttpDeps } from '../deps.js';

/**
 * Refuses a route that needs a setting which is off (FEATURE_OFF); after the guard, before a byte of the body is read.
 */
export function refuseSwitchedOff({ settings }: Pick<HttpDeps, 'settings'>, request: Request): void {
  const off = request.route.settings.plugins?.quire?.access?.needsSettings?.find(
    (path) => (settings as SettingsReader).get<unknown>(path) !== true,
  );
  if (off !== undefined) throw new AccessError('FEATURE_OFF', { setting: `${off} is not true` });
}

/**
 * Refuses a route that is switched off (OPERATION_DISABLED), lacks a program (PROGRAM_MISSING), or of which nobody
 * knows yet whether it is off (STORE_DOWN); after the guard, before a byte of the body is read. What lacks a program
 * here and not on another node passes, since it may be asked for as a job.
 */
export async function refuseDisabled(
  { availability, catalog, takenElsewhere }: Pick<HttpDeps, 'availability' | 'catalog' | 'takenElsewhere'>,
  request: Request,
): Promise<void> {
  const path = request.route.settings.plugins?.quire?.switched;
  if (path === undefined) return;
  if (!availability.known) throw new OperationalError('STORE_DOWN');
  const found = availability.ofPath(path);
  const { reason, missing } = found;
  if (reason === 'CONFIG') throw operationDisabled(path, found);
  if (reason !== 'DEPENDENCY') return;
  const entry = catalog.operations.get(path);
  if (entry === undefined || !(await takenElsewhere([entry])))
    throw new OperationalError('PROGRAM_MISSING', { program: missing.join(', ') });
}
