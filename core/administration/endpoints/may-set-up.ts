import type { Principal } from '@quire/registry';
import type { Settings } from '../../settings/index.js';

/** True for names and addresses of this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || host === '::1' || host.replace(/^::ffff:/i, '').startsWith('127.');
}

/** Who sees the first steps: administrators; while login is off, callers from this machine. */
export function maySetUp(settings: Pick<Settings, 'get'>, { role }: Principal, address: string): boolean {
  return settings.get('security.enableLogin') ? role === 'admin' : isLoopback(address);
}
