import { isIP } from 'node:net';
import type { Request } from '@hapi/hapi';
import type { CallSite } from '@quire/registry';
import type { Settings } from '../../settings/index.js';
import type {} from '../hapi-state.js';

/** Facts about the connection and its headers that decide which site a call came to. */
export interface ReachedAt {
  /** The Host header. */
  readonly host: string | undefined;
  /** X-Forwarded-Proto. */
  readonly forwardedProto: string | undefined;
  /** The connection comes from one of `server.trustedProxies`. */
  readonly viaProxy: boolean;
  /** Our end of the connection. */
  readonly localAddress: string | undefined;
  readonly localPort: number | undefined;
}

/** Only a host with an optional port is accepted; anything else is never echoed. */
const HOST = /^([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::(\d{1,5}))?$/;

/** Returns the host, without brackets, and the port of a valid Host header, else undefined. */
export function hostParts(host: string): { readonly name: string; readonly port: string | undefined } | undefined {
  const [, bracketed, port] = HOST.exec(host) ?? [];
  return bracketed === undefined ? undefined : { name: bracketed.replace(/^\[|\]$/g, ''), port };
}

/** Returns the Host header if it is valid (RFC 9110, 7.2), else undefined. */
export function plainHost(host: string | undefined): string | undefined {
  return host !== undefined && HOST.test(host) ? host : undefined;
}

/**
 * Returns the site that a call came to. The client writes the Host header, so it is trusted only from a trusted proxy,
 * if it names our own end of the connection, or if the operator allowed that site (`system.corsAllowedOrigins`).
 * X-Forwarded-Proto is trusted only from a trusted proxy (docs/internals/adr/0050-addresses-in-mails.md).
 */
export function callSite(
  { host: given, forwardedProto, viaProxy, localAddress, localPort }: ReachedAt,
  settings: Pick<Settings, 'get'>,
): CallSite {
  const host = plainHost(given);
  const prefix = settings.get('system.rootUriPath');
  const scheme = viaProxy && forwardedProto === 'https' ? 'https' : 'http';
  if (host === undefined)
    return { url: `${scheme}://localhost:${settings.get('server.port')}${prefix}`, believed: false };
  const allowed = settings.get('system.corsAllowedOrigins').find((origin) => hostOf(origin) === host.toLowerCase());
  if (!viaProxy && allowed !== undefined) return { url: `${allowed.replace(/\/+$/, '')}${prefix}`, believed: true };
  return {
    url: `${scheme}://${host}${prefix}`,
    believed: viaProxy || isOwn(host, localAddress, localPort, settings.get('server.host')),
  };
}

/** Returns the site of an authorised request. */
export function siteOf(request: Request, settings: Settings): CallSite {
  const { localAddress, localPort } = request.raw.req.socket;
  const { host, 'x-forwarded-proto': forwardedProto } = request.headers as Record<string, string | undefined>;
  return callSite({ host, forwardedProto, viaProxy: request.app.viaProxy === true, localAddress, localPort }, settings);
}

/** True for our own end of the connection: its address, the configured host name, or localhost. */
function isOwn(
  host: string,
  localAddress: string | undefined,
  localPort: number | undefined,
  listenName: string,
): boolean {
  const { name: written = '', port = '80' } = hostParts(host) ?? {};
  const name = written.toLowerCase();
  const own = (localAddress ?? '').replace(/^::ffff:/i, '').toLowerCase();
  if (own === '' || Number(port) !== localPort) return false;
  return (
    name === own ||
    (listenName !== '' && isIP(listenName) === 0 && name === listenName.toLowerCase()) ||
    (name === 'localhost' && (own === '::1' || own.startsWith('127.')))
  );
}

function hostOf(origin: string): string | undefined {
  return /^https?:\/\//.test(origin) && URL.canParse(origin) ? new URL(origin).host : undefined;
}
