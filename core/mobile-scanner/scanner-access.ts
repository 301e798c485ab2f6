import { AccessError, type Principal } from '@quire/registry';
import type { Settings } from '../settings/index.js';

/** Who may begin sessions of the mobile scanner; the phone that continues one needs no login. */
export type ScannerOpenTo = 'everybody' | 'users' | 'nobody';

/**
 * Returns who may begin sessions: everybody while `system.enableMobileScanner` is true, nobody while it is false; while
 * it is not set, signed-in users, so nobody while login is off.
 */
export function scannerOpenTo(settings: Pick<Settings, 'get'>): ScannerOpenTo {
  const enabled = settings.get('system.enableMobileScanner');
  if (enabled !== null) return enabled ? 'everybody' : 'nobody';
  return settings.get('security.enableLogin') ? 'users' : 'nobody';
}

/** Throws FEATURE_OFF while nobody may begin sessions. */
export function refuseClosed(openTo: ScannerOpenTo): void {
  if (openTo === 'nobody') throw new AccessError('FEATURE_OFF', { setting: 'system.enableMobileScanner is not true' });
}

/** True if this caller may begin a session. */
export function mayBegin(openTo: ScannerOpenTo, { via }: Principal): boolean {
  return openTo === 'everybody' || (openTo === 'users' && via !== 'none');
}

/** Throws FEATURE_OFF unless this caller may begin a session. */
export function refuseStranger(openTo: ScannerOpenTo, caller: Principal): void {
  refuseClosed(openTo);
  if (!mayBegin(openTo, caller))
    throw new AccessError('FEATURE_OFF', {
      setting:
        'system.enableMobileScanner is not true, so a session must be begun by a signed-in user; log in first, or ' +
        'ask an administrator to set it',
    });
}
