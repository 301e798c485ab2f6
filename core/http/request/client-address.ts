import { BlockList, isIP } from 'node:net';
import { StartupError } from '@quire/registry';

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
 * Returns a function that reports whether an address is one of these, or in one of these networks. Throws SETTINGS_INVALID for an invalid
 * address.
 */
export function trustedFrom(
  trustedProxies: readonly string[],
  where: string,
  setting = 'server.trustedProxies',
): (address: string) => boolean {
  const trusted = new BlockList();
  for (const entry of trustedProxies) trust(trusted, entry.trim(), { where, setting });
  return (address) => {
    const bare = plainAddress(address);
    return isIP(bare) !== 0 && trusted.check(bare, isIP(bare) === 6 ? 'ipv6' : 'ipv4');
  };
}

function trust(
  list: BlockList,
  entry: string,
  { where, setting }: { readonly where: string; readonly setting: string },
): void {
  const [address = '', bits, ...rest] = entry.split('/');
  const version = isIP(address);
  const most = version === 6 ? 128 : 32;
  if (version === 0 || rest.length > 0 || (bits !== undefined && (!/^\d{1,3}$/.test(bits) || Number(bits) > most))) {
    throw new StartupError('SETTINGS_INVALID', {
      where,
      detail: `${setting} contains "${entry}", which is neither an address nor a network such as 10.0.0.0/8`,
    });
  }
  const family = version === 6 ? 'ipv6' : 'ipv4';
  if (bits === undefined) list.addAddress(address, family);
  else list.addSubnet(address, Number(bits), family);
}

/** Normalises IPv4 addresses received over an IPv6 socket (RFC 4291, 2.5.5.2), and IPv6 in brackets or with a port. */
export function plainAddress(address: string): string {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(address)?.[1] ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(address)?.[1] ?? address;
  return /^::ffff:(\d+(?:\.\d+){3})$/i.exec(bare)?.[1] ?? bare;
}
