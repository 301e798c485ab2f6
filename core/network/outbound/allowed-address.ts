import { isIP } from 'node:net';
import { InputError, type SettingsReader } from '@quire/registry';
import { systemResolve, type Resolve } from './pinned-lookup.js';
import { guardedRules, hostOf } from './target-rules.js';

/**
 * Returns an address of a host for a protocol other than HTTP, under the rules of HTTP calls. Connect to this address
 * and not to the name: it may lead elsewhere the next time. Rejects with ADDRESS_REFUSED that names the field; errors
 * of the look-up have a code such as ENOTFOUND.
 */
export async function allowedAddress(
  host: string,
  field: string,
  settings: SettingsReader,
  resolve: Resolve = systemResolve,
): Promise<string> {
  const rules = guardedRules(settings.get<readonly string[]>('outbound.allowed'), false);
  const name = hostOf(rules.check(`https://${isIP(host) === 6 ? `[${host}]` : host}/`, field));
  if (isIP(name) !== 0) return name;
  const found = await resolve(name);
  const [first] = found;
  if (first === undefined) throw Object.assign(new Error(`no address of ${name}`), { code: 'ENOTFOUND' });
  if (found.every(({ address }) => rules.mayConnect(name, address))) return first.address;
  throw new InputError('ADDRESS_REFUSED', { field, detail: `${name} does not lead to the public internet` });
}
