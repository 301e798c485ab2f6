import { isIP } from 'node:net';
import { networkList, plainAddress } from '../../settings/index.js';

/** Returns the address of the client behind a connection. `forwarded` is the X-Forwarded-For header. */
export type ClientAddress = (peer: string, forwarded: string | undefined) => string;

/**
 * Trusts X-Forwarded-For only from the configured proxies (addresses, or networks such as 10.0.0.0/8): the client is
 * the last address in it that is not one of them. Clients could write anything there. Throws SETTINGS_INVALID for an
 * invalid address.
 */
export function clientAddressFrom(trustedProxies: readonly string[], where: string): ClientAddress {
  const isTrusted = trustedFrom(trustedProxies, where);
  return (peer, forwarded) => {
    let client = plainAddress(peer);
    if (trustedProxies.length === 0 || forwarded === undefined) return client;
    const hops = forwarded.split(',').map((hop) => plainAddress(hop.trim()));
    while (isTrusted(client)) {
      const before = hops.pop();
      if (before === undefined || isIP(before) === 0) break;
      client = before;
    }
    return client;
  };
}

/**
 * Returns a function that reports whether an address is one of these proxies. Throws SETTINGS_INVALID for an invalid
 * address.
 */
export function trustedFrom(
  trustedProxies: readonly string[],
  where: string,
  setting = 'server.trustedProxies',
): (address: string) => boolean {
  return networkList(trustedProxies, where, setting);
}
