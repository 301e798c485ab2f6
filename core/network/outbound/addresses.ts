import { BlockList, isIP } from 'node:net';

/**
 * Networks that no outbound call may reach unless the operator allows it (IANA special-purpose registries, RFC 6890 and
 * its updates): this host, private and shared networks, link-local addresses with the metadata services of clouds,
 * documentation, multicast, and all that wrap an IPv4 address in an IPv6 one.
 */
const REFUSED: readonly string[] = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/96',
  '::ffff:0:0/96',
  '::ffff:0:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
];

/** Of those: this host, and networks of the operator's own (RFC 1918, RFC 3927, RFC 4193, RFC 4291, RFC 6598). */
const PRIVATE: readonly string[] = [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::1',
  'fc00::/7',
  'fe80::/10',
];
/** Of those: metadata services of clouds, which return names and secrets of a machine. */
const METADATA: readonly string[] = [
  '169.254.169.254',
  '169.254.169.253',
  '169.254.169.123',
  '169.254.170.2',
  '169.254.170.23',
  '169.254.0.23',
  '169.254.10.10',
  '100.100.100.200',
  '192.0.0.192',
  '168.63.129.16',
  'fd00:ec2::254',
  'fd00:ec2::253',
  'fd00:ec2::123',
  'fd00:ec2::23',
  'fd20:ce::254',
  'fe80::a9fe:a9fe',
  '::ffff:a9fe:a9fe',
];

const refused = networkList(REFUSED);
const inner = networkList(PRIVATE);
const metadata = networkList(METADATA);

/** A set of addresses and networks. */
export interface NetworkList {
  has(address: string): boolean;
}

/** Reads addresses and networks (`10.2.0.0/16`); what is neither is left out. */
export function networkList(entries: readonly string[]): NetworkList {
  // IPv4 and IPv6 are kept apart: one list would count an IPv4 address as the IPv6 one that wraps it.
  const lists = { 4: new BlockList(), 6: new BlockList() };
  for (const entry of entries) {
    const { address, version, bits } = networkOf(entry) ?? {};
    if (address !== undefined && version !== undefined && bits !== undefined)
      lists[version].addSubnet(address, bits, version === 4 ? 'ipv4' : 'ipv6');
  }
  return {
    has: (address) => {
      const version = isIP(address);
      return version === 4 || version === 6 ? lists[version].check(address, version === 4 ? 'ipv4' : 'ipv6') : false;
    },
  };
}

/** True for what `networkList` reads. */
export function isNetwork(entry: string): boolean {
  return networkOf(entry) !== undefined;
}

/** True for an address of the public internet. False for anything else. */
export function isPublicAddress(address: string): boolean {
  return isIP(address) !== 0 && !refused.has(address);
}

/** True for an address of this host or of a network of the operator's own. */
export function isPrivateAddress(address: string): boolean {
  return inner.has(address);
}

/** True for an address of a cloud's metadata service. */
export function isMetadataAddress(address: string): boolean {
  return metadata.has(address);
}

function networkOf(
  entry: string,
): { readonly address: string; readonly version: 4 | 6; readonly bits: number } | undefined {
  const [address = '', width, ...more] = entry.split('/');
  const version = isIP(address);
  if ((version !== 4 && version !== 6) || more.length > 0 || address.includes('%')) return undefined;
  const widest = version === 4 ? 32 : 128;
  if (width === undefined) return { address, version, bits: widest };
  const bits = Number(width);
  return /^\d{1,3}$/.test(width) && bits <= widest ? { address, version, bits } : undefined;
}
