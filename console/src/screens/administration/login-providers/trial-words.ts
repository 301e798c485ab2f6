import { t } from './texts.ts';

const metadata = (): string =>
  [
    t('There is a server, but it does not describe a provider at this address.'),
    t('Often a realm, tenant or application belongs to the issuer.'),
  ].join(' ');

/** Faults of `ProviderFault`. */
const faults: Readonly<Record<string, () => string>> = {
  unreachable: () => t('Nothing answers at this address. Is the provider running, and may this server reach it?'),
  hostUnknown: () => t('There is no server with this name. Check the spelling.'),
  timeout: () => t('The provider takes too long to answer. A firewall in between may be the cause.'),
  certificateUntrusted: () =>
    t('This server does not trust the certificate of the provider. Add its authority with the setting {setting}.', {
      setting: 'system.caBundle',
    }),
  certificateName: () => t('The certificate of the provider is for another name than the one in the address.'),
  certificateExpired: () => t('The certificate of the provider has expired, or is not valid yet.'),
  tls: () => t('No encrypted connection is possible at this address. Does it begin with the right https or http?'),
  metadataMissing: metadata,
  metadataStatus: metadata,
  metadataUnreadable: metadata,
  endpointMissing: () => t('The provider does not offer the authorization code flow.'),
  clientRefused: () => t('The provider does not accept the client. Check client id and client secret.'),
  codeRefused: () =>
    t('The provider does not accept the code that it gave. It may be used up, or belong to another redirect URI.'),
  redirectUriRefused: () =>
    t('The provider does not know the redirect URI. Register the one above there, exactly as it is.'),
  scopeRefused: () => t('The provider does not allow one of the scopes.'),
  authorizationRefused: () => t('The provider refuses the login.'),
  accessDenied: () => t('The login was declined at the provider.'),
  tokenInvalid: () =>
    [
      t('The answer cannot be trusted: its token is for another client, has expired, or is not signed.'),
      t('Are the clocks of both servers right?'),
    ].join(' '),
};

/** Faults of SAML. */
const samlFaults: Readonly<Record<string, () => string>> = {
  samlAddress: () => t('This server does not know its own address. Set {setting}.', { setting: 'system.backendUrl' }),
  samlPostOnly: () =>
    t('The identity provider takes requests by POST only, which a test cannot send. Log in with it instead.'),
  samlUnreadable: () =>
    t('The answer cannot be read: it is no answer of SAML 2.0, or this server has no key to decrypt it.'),
  samlIssuer: () => t('The answer is from another identity provider than the one in the settings.'),
  samlRecipient: () =>
    t('The answer was made for another address. Enter the assertion consumer service above exactly as it is.'),
  samlUnsigned: () =>
    t('Neither the response nor the assertion is signed. Turn a signature on at the identity provider.'),
  samlSignature: () =>
    t('The signature does not fit the certificate of the identity provider. Was its key changed since?'),
  samlClock: () =>
    [t('The assertion is not valid at this time.'), t('Are the clocks of both servers right?')].join(' '),
  samlAudience: () =>
    t('The assertion is for another service. Enter the entity id above as audience at the identity provider.'),
  samlNameId: () =>
    t('The NameID has another format than expected. Change it at the identity provider, or the setting {setting}.', {
      setting: 'security.saml2.nameIdFormat',
    }),
  samlRefused: () => t('The answer does not hold.'),
};

/** What is wrong, and what helps. */
export function faultWords(fault: string, issuer = ''): string {
  if (fault === 'issuerDiffers')
    return t('The provider calls itself {issuer}. The issuer has to be exactly that.', { issuer });
  return (faults[fault] ?? samlFaults[fault] ?? faults['authorizationRefused']!)();
}

const notes: Readonly<Record<string, () => string>> = {
  insecureIssuer: () => t('The connection to the provider is not encrypted (http). Use https outside of tests.'),
  scopesUnknown: () => t('The provider does not list one of the scopes, so something may be missing.'),
  logoutUnknown: () => t('The provider has no logout for other servers: users stay logged in there.'),
};

export function noteWords(note: string): string {
  return notes[note]?.() ?? note;
}

/** Why a login would be refused, for the administrator; the codes of `SignInCode`. */
const refusals: Readonly<Record<string, () => string>> = {
  userAlreadyExistsWeb: () =>
    t('The name belongs to another account. Its user has to log in, and link the provider in “Your account”.'),
  oAuth2AutoCreateDisabled: () => t('There is no account with this name, and none is created at the first login.'),
  oAuth2AdminBlockedUser: () => t('There is no account with this name, and only entered users may log in.'),
  maxUsersReached: () => t('There are as many users as the licence allows.'),
  userIsDisabled: () => t('The account is disabled.'),
  invalidUsername: () => t('The user name is missing, or is not allowed on this server. Choose another claim for it.'),
  email_not_verified: () => t('The mail address is the user name, and the provider has not verified it.'),
  second_factor_required: () => t('A second factor is required, and the provider does not say that one was used.'),
};

export function refusalWords(code: string): string {
  return refusals[code]?.() ?? code;
}
