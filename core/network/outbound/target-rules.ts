import { isIP } from 'node:net';
import { InputError } from '@quire/registry';
import {
  isMetadataAddress,
  isNetwork,
  isPrivateAddress,
  isPublicAddress,
  type NetworkList,
  networkList,
} from './addresses.js';

/**
 * Names that mean this host or its own network wherever they are looked up (RFC 6761, RFC 6762, RFC 8375 and the habits
 * of clouds).
 */
const INNER_NAMES =
  /^(?:localhost|metadata|.*\.(?:localhost|local|localdomain|internal|intranet|corp|home|lan|private|home\.arpa))$/;

/** Names of metadata services of clouds. */
const METADATA_NAMES =
  /^(?:metadata|metadata\.google\.internal|metadata\.goog|instance-data|instance-data\.ec2\.internal|metadata\.azure\.(?:internal|com)|metadata\.tencentyun\.com)$/;

/** Says which addresses outbound calls may go to. */
export interface TargetRules {
  /** Reads an address as it was written. Errors: ADDRESS_REFUSED that names the field. */
  check(text: string, field: string): URL;
  /** True when a connection to this IP address is allowed, for a call to this host. */
  mayConnect(host: string, address: string): boolean;
}

/**
 * Rules for an address from the operator's settings: it must be well formed and may point anywhere.
 */
export const operatorRules: TargetRules = { mayConnect: () => true, check: (text, field) => readUrl(text, field) };

/**
 * Rules of the public internet, and besides what `allowed` lists: host names (`tsa.corp.example`), addresses and
 * networks (`10.2.0.0/16`). A name that is listed may resolve to any address; one that is not must resolve to public
 * addresses, or to those of a listed network.
 */
export function targetRules(allowed: readonly string[]): TargetRules {
  const names = listedNames(allowed);
  const networks: NetworkList = networkList(entriesOf(allowed));
  const mayConnect = (host: string, address: string): boolean =>
    names.has(host) || networks.has(address) || isPublicAddress(address);
  return {
    mayConnect,
    check: (text, field) => {
      const url = readUrl(text, field);
      const host = hostOf(url);
      if (isIP(host) === 0 ? INNER_NAMES.test(host) && !names.has(host) : !mayConnect(host, host))
        throw refusal(field, `${host} is not on the public internet`);
      return url;
    },
  };
}

/**
 * Rules that never let a cloud's metadata service be called, not even a listed one; with `inner`, this host and private
 * networks may be called as well, by name or address.
 */
export function guardedRules(allowed: readonly string[], inner: boolean): TargetRules {
  const rules = targetRules(allowed);
  const mayConnect = (host: string, address: string): boolean =>
    !isMetadataName(host) &&
    !isMetadataAddress(address) &&
    ((inner && isPrivateAddress(address)) || rules.mayConnect(host, address));
  return {
    mayConnect,
    check: (text, field) => {
      const url = inner ? readUrl(text, field) : rules.check(text, field);
      const host = hostOf(url);
      if (isIP(host) === 0 ? isMetadataName(host) : !mayConnect(host, host))
        throw refusal(field, `${host} is never called`);
      return url;
    },
  };
}

function entriesOf(allowed: readonly string[]): readonly string[] {
  return allowed.map((entry) => entry.trim().toLowerCase().replace(/\.$/, '')).filter((entry) => entry !== '');
}

/** The host names among the entries of `outbound.allowed`. */
export function listedNames(allowed: readonly string[]): ReadonlySet<string> {
  return new Set(entriesOf(allowed).filter((entry) => !isNetwork(entry)));
}

/** True for a name of a cloud's metadata service. */
export function isMetadataName(host: string): boolean {
  return METADATA_NAMES.test(host);
}

/** Reads an address of a web server. Errors: ADDRESS_REFUSED that names the field. */
export function readUrl(text: string, field: string): URL {
  // The URL standard forgives what other readers do not: a browser's reading must not differ from ours.
  if (/[\s\\]|[\p{Cc}]/u.test(text)) throw refusal(field, 'it holds blanks, backslashes or control characters');
  if (!URL.canParse(text)) throw refusal(field, 'it is not an absolute URL');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw refusal(field, `its scheme is ${url.protocol.replace(/:$/, '')}; allowed are http and https`);
  if (url.username !== '' || url.password !== '') throw refusal(field, 'it holds a user name or password');
  if (hostOf(url) === '') throw refusal(field, 'it has no host');
  return url;
}

/** The error about an address that is not called. */
export function refusal(field: string, detail: string): InputError {
  return new InputError('ADDRESS_REFUSED', { field, detail });
}

/** The host of an address: lower case, an IPv6 address without brackets, a name without the dot at its end. */
export function hostOf(url: URL): string {
  return url.hostname
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase();
}
