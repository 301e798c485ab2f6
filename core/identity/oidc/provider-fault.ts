import { isQuireError } from '@quire/registry';
import { SignInRefused, type Provider } from '../model.js';

/** What is wrong between this server and a provider, for the administrator who sets it up. */
export const providerFaults = [
  'unreachable',
  'hostUnknown',
  'timeout',
  'certificateUntrusted',
  'certificateName',
  'certificateExpired',
  'tls',
  'metadataMissing',
  'metadataStatus',
  'metadataUnreadable',
  'issuerDiffers',
  'endpointMissing',
  'clientRefused',
  'codeRefused',
  'redirectUriRefused',
  'scopeRefused',
  'authorizationRefused',
  'accessDenied',
  'tokenInvalid',
  'samlAddress',
  'samlPostOnly',
  'samlUnreadable',
  'samlIssuer',
  'samlRecipient',
  'samlUnsigned',
  'samlSignature',
  'samlClock',
  'samlAudience',
  'samlNameId',
  'samlRefused',
] as const;
export type ProviderFault = (typeof providerFaults)[number];

/** The metadata of a provider cannot be used. */
export class MetadataRefused extends SignInRefused {
  constructor(
    readonly fault: ProviderFault,
    message: string,
    /** The issuer that the metadata describes. */
    readonly issuer?: string,
  ) {
    super('provider_unreachable', message);
  }
}

/** An answer of an authorization server that names an error (RFC 6749, 4.1.2.1 and 5.2). */
interface NamedError {
  readonly error: string;
  readonly error_description?: string;
}

const namedFaults: Readonly<Record<string, ProviderFault>> = {
  access_denied: 'accessDenied',
  invalid_client: 'clientRefused',
  unauthorized_client: 'clientRefused',
  invalid_grant: 'codeRefused',
  incorrect_client_credentials: 'clientRefused',
  bad_verification_code: 'codeRefused',
  redirect_uri_mismatch: 'redirectUriRefused',
  invalid_redirect_uri: 'redirectUriRefused',
  invalid_scope: 'scopeRefused',
};

/** Codes of Node.js and OpenSSL for certificates that are not accepted. */
const certificateFaults: readonly (readonly [RegExp, ProviderFault])[] = [
  [/^(?:SELF_SIGNED_CERT|DEPTH_ZERO_SELF|UNABLE_TO_(?:VERIFY|GET_ISSUER))/, 'certificateUntrusted'],
  [/^CERT_(?:HAS_EXPIRED|NOT_YET_VALID)/, 'certificateExpired'],
  [/^ERR_TLS_CERT_ALTNAME/, 'certificateName'],
  [/^(?:EPROTO$|ERR_SSL|ERR_TLS|CERT_)/, 'tls'],
  [/^(?:ENOTFOUND|EAI_)/, 'hostUnknown'],
];

/** Returns what is wrong, by the error that a call of the provider ended with. */
export function faultOf(error: unknown): ProviderFault {
  const found = causes(error);
  const metadata = found.find((one) => one instanceof MetadataRefused);
  if (metadata !== undefined) return metadata.fault;
  if (found.some((one) => isQuireError(one) && one.code === 'REMOTE_TIMEOUT')) return 'timeout';
  if (found.some(isQuireError)) return networkFault(found);
  const named = namedError(found);
  // RFC 6749, 5.2: a client that is not accepted may get 401 without a body.
  if (named === undefined) return found.some(isUnauthorized) ? 'clientRefused' : 'tokenInvalid';
  if (/redirect.?uri/i.test(named.error_description ?? '')) return 'redirectUriRefused';
  return namedFaults[named.error] ?? 'authorizationRefused';
}

/** Errors of the network are the provider's; everything else is a refused login. */
export function refusalOf(error: unknown, { name, setting }: Provider): SignInRefused {
  if (error instanceof SignInRefused) return error;
  const found = causes(error);
  const network = found.find(isQuireError);
  if (network !== undefined)
    return new SignInRefused('provider_unreachable', `${name} (${setting}) cannot be used: ${network.message}`, {
      cause: error,
    });
  const named = namedError(found);
  if (named?.error === 'access_denied')
    return new SignInRefused('access_denied', `${name} says that access was denied`, { cause: error });
  const detail =
    named === undefined
      ? [...new Set(found.map(({ message }) => message))].join(': ')
      : `${named.error} ${named.error_description ?? ''}`.trim();
  return new SignInRefused('oauth2AuthenticationError', `${name}: ${detail.slice(0, 500)}`, { cause: error });
}

/** Returns why a provider refuses to begin a login, by the page that it answers with; its text is not shown. */
export function pageFault(page: string): ProviderFault {
  if (/redirect.{0,3}ur[il]/i.test(page)) return 'redirectUriRefused';
  if (/invalid_scope/i.test(page)) return 'scopeRefused';
  return /client/i.test(page) ? 'clientRefused' : 'authorizationRefused';
}

function networkFault(found: readonly Error[]): ProviderFault {
  for (const { code } of found as readonly { readonly code?: unknown }[]) {
    const fault = certificateFaults.find(([pattern]) => typeof code === 'string' && pattern.test(code))?.[1];
    if (fault !== undefined) return fault;
  }
  return 'unreachable';
}

function namedError(found: readonly Error[]): NamedError | undefined {
  return found.find((one): one is Error & NamedError => typeof (one as { error?: unknown }).error === 'string');
}

function isUnauthorized(error: Error): boolean {
  return (error as { readonly status?: unknown }).status === 401;
}

/** An error, what caused it, and what it gathers. */
function causes(error: unknown, depth = 0): readonly Error[] {
  if (!(error instanceof Error) || depth > 5) return [];
  const gathered: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
  return [error, ...[...gathered, error.cause].flatMap((inner) => causes(inner, depth + 1))];
}
