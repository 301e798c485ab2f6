import { BlockList, isIP } from 'node:net';
import { StartupError } from '@quire/registry/errors';

/**
 * Returns a function that reports whether an address is one of these, or in one of these networks (10.0.0.0/8). Throws
 * SETTINGS_INVALID for an entry that is neither.
 */
export function networkList(entries: readonly string[], where: string, setting: string): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of entries)
    if (!add(list, entry.trim()))
      throw new StartupError('SETTINGS_INVALID', {
        where,
        detail: `${setting} contains "${entry.trim()}", which is neither an address nor a network such as 10.0.0.0/8`,
      });
  if (entries.length === 0) return () => false;
  return (address) => {
    const bare = plainAddress(address);
    return isIP(bare) !== 0 && list.check(bare, isIP(bare) === 6 ? 'ipv6' : 'ipv4');
  };
}

function add(list: BlockList, entry: string): boolean {
  const [address = '', bits, ...rest] = entry.split('/');
  const version = isIP(address);
  const most = version === 6 ? 128 : 32;
  if (version === 0 || rest.length > 0 || (bits !== undefined && (!/^\d{1,3}$/.test(bits) || Number(bits) > most)))
    return false;
  const family = version === 6 ? 'ipv6' : 'ipv4';
  if (bits === undefined) list.addAddress(address, family);
  else list.addSubnet(address, Number(bits), family);
  return true;
}

/** Normalises IPv4 addresses received over an IPv6 socket (RFC 4291, 2.5.5.2), and IPv6 in brackets or with a port. */
export function plainAddress(address: string): string {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(address)?.[1] ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(address)?.[1] ?? address;
  return /^::ffff:(\d+(?:\.\d+){3})$/i.exec(bare)?.[1] ?? bare;
}
