import type { Request } from '@hapi/hapi';
import { AccessError, OperationalError, type SettingsReader } from '@quire/registry';
import { operationDisabled } from '../../access/index.js';
import type { HttpDeps } from '../deps.js';

/**
 * Rejects a route that requires a setting which is off (FEATURE_OFF); runs after the guard, before the body is read.
 */
export function refuseSwitchedOff({ settings }: Pick<HttpDeps, 'settings'>, request: Request): void {
  const off = request.route.settings.plugins?.quire?.access?.needsSettings?.find(
    (path) => (settings as SettingsReader).get<unknown>(path) !== true,
  );
  if (off !== undefined) throw new AccessError('FEATURE_OFF', { setting: `${off} is not true` });
}

/**
 * Rejects a route that is switched off (OPERATION_DISABLED), lacks a program (PROGRAM_MISSING), or whose switches
 * cannot be read (STORE_DOWN); runs after the guard, before the body is read. An operation whose program is available
 * on another node passes, since it may be requested as a job.
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

/**
 * Rejects a body that would be written to disk and leave less than the reserve there (STORAGE_FULL, RFC 4918, 11.5).
 * Small JSON bodies stay in memory and pass, so that users can log in and delete files, and administrators can act.
 */
export async function refuseFullDisk({ disk }: Pick<HttpDeps, 'disk'>, request: Request): Promise<void> {
  const { 'content-length': length, 'transfer-encoding': chunked, 'content-type': type = '' } = request.raw.req.headers;
  const declared = Number(length ?? 0);
  const route = request.route.settings.plugins?.quire;
  if (route === undefined || (chunked === undefined && declared === 0)) return;
  if (route.keepsBody === true || /^multipart\//i.test(type)) await disk.admit(declared);
}
