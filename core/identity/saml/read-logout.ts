import type { Idp } from './idp-metadata.js';
import { verifiedQuery } from './deliver.js';
import type { OwnAddresses } from './messages.js';
import { PROTOCOL, SUCCESS } from './names.js';
import { along, decodePosted, decodeRedirected, openMessage, plainText, timeOf } from './open-message.js';
import { checkIssuer, nameIdOf } from './read-assertion.js';
import { SamlFault } from './saml-fault.js';
import type { SamlSettings } from './saml-settings.js';
import { verifyLogout } from './verify.js';

/** A message as it came: fields of a form, or the query as it was sent. */
export type IncomingLogout =
  | {
      readonly binding: 'post';
      readonly field: 'SAMLRequest' | 'SAMLResponse';
      readonly message: string;
      readonly relayState: string | undefined;
    }
  | { readonly binding: 'redirect'; readonly search: string };

/** What the identity provider says about a logout. */
export type LogoutMessage =
  | {
      readonly kind: 'request';
      readonly issuer: string;
      readonly id: string;
      /** The sessions that have ended; none: all of the user. */
      readonly sessions: readonly string[];
      readonly subject: string | undefined;
      readonly relayState: string | undefined;
      /** When it is refused anyway, ms since 1970. */
      readonly until: number;
    }
  | { readonly kind: 'response'; readonly success: boolean };

export interface LogoutDeps {
  readonly settings: SamlSettings;
  readonly idp: Idp;
  readonly own: OwnAddresses;
  readonly now: number;
}

/** How old a request may be, ms: identity providers send it at once. */
const OLDEST_MS = 5 * 60_000;

/** Verifies and reads a message about a logout (SAML profiles, 4.4). Throws SamlFault. */
export async function readLogout(incoming: IncomingLogout, deps: LogoutDeps): Promise<LogoutMessage> {
  const { settings, idp, own } = deps;
  const { xml, field, relayState } = await opened(incoming, deps);
  const root = openMessage(xml, {
    name: field === 'SAMLRequest' ? 'LogoutRequest' : 'LogoutResponse',
    namespace: PROTOCOL,
    acceptSha1: settings.acceptSha1,
  });
  if (incoming.binding === 'post') await verifyLogout(xml, field, { settings, idp, own });
  checkIssuer(along(root, 'Issuer')[0], idp.entityId);
  const destination = root.getAttribute('Destination') ?? '';
  if (destination !== own.logout)
    throw new SamlFault(`the message was sent to "${destination.slice(0, 200)}", not ${own.logout} (Destination)`);
  if (field === 'SAMLResponse')
    return { kind: 'response', success: along(root, 'Status', 'StatusCode')[0]?.getAttribute('Value') === SUCCESS };
  return {
    kind: 'request',
    issuer: idp.entityId,
    id: root.getAttribute('ID') ?? '',
    sessions: along(root, 'SessionIndex').map(plainText),
    subject: nameIdOf(along(root, 'NameID')[0])?.value,
    relayState,
    until: endOf(timeOf(root, 'IssueInstant'), timeOf(root, 'NotOnOrAfter'), deps),
  };
}

async function opened(
  incoming: IncomingLogout,
  { settings: { acceptSha1 }, idp: { certificates } }: LogoutDeps,
): Promise<{ xml: string; field: 'SAMLRequest' | 'SAMLResponse'; relayState: string | undefined }> {
  if (incoming.binding === 'post') {
    const { field, message, relayState } = incoming;
    return { xml: decodePosted(message), field, relayState };
  }
  const { field, message, relayState } = verifiedQuery(incoming.search, { certificates, acceptSha1 });
  return { xml: await decodeRedirected(message), field, relayState };
}

function endOf(issued: number | undefined, end: number | undefined, { now, settings: { skewMs } }: LogoutDeps): number {
  if (issued === undefined || issued - skewMs > now || issued + OLDEST_MS + skewMs <= now)
    throw new SamlFault('the logout was not issued in the last five minutes (IssueInstant)');
  if (end !== undefined && end + skewMs <= now) throw new SamlFault('the logout has expired (NotOnOrAfter)');
  return Math.max(issued + OLDEST_MS, end ?? 0) + skewMs;
}
