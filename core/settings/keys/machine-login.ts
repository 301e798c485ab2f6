import type { KnownKey } from '../known-key.js';

/** Logins that other servers vouch for: access tokens of an issuer, and a proxy in front of this server. */
export const machineLoginKeys = [
  {
    path: 'security.accessTokens.audiences',
    type: 'strings',
    default: [],
    acts: true,
    meaning:
      'accept access tokens of an OAuth 2.0 issuer (Authorization: Bearer) that have one of these audiences (claim ' +
      'aud), such as the address of this server; without an entry none are accepted',
  },
  {
    path: 'security.accessTokens.loginProviders',
    type: 'boolean',
    default: true,
    acts: true,
    meaning: 'accept access tokens of the login providers of security.oauth2; GitHub has none that can be verified',
  },
  {
    path: 'security.accessTokens.issuers',
    type: 'strings',
    default: [],
    acts: true,
    meaning:
      'further issuers of access tokens, as their claim iss says, such as https://idp.example.org/realms/machines',
  },
  {
    path: 'security.accessTokens.jwksUris',
    type: 'strings',
    default: [],
    acts: true,
    meaning:
      'addresses of the keys of issuers that publish no metadata, each as issuer and address with a space between',
  },
  {
    path: 'security.accessTokens.clients',
    type: 'strings',
    default: [],
    acts: true,
    meaning:
      'client ids (claim azp or client_id) whose access tokens are accepted; empty: every client that gets a token ' +
      'for this audience',
  },
  {
    path: 'security.accessTokens.services',
    type: 'strings',
    default: [],
    acts: true,
    meaning:
      'accounts of services (client credentials), as subject=username: the claim sub of their tokens, and the ' +
      'account that they use; with several issuers "issuer subject=username". The log names the subject of a ' +
      'refused token',
  },
  {
    path: 'security.accessTokens.scopes',
    type: 'strings',
    default: [],
    acts: true,
    meaning:
      'what scopes of the issuer allow, as scope=category; the category may also be all or read (GET only). Scopes ' +
      'named quire:<category>, quire:all and quire:read need no entry',
  },
  {
    path: 'security.accessTokens.withoutScopes',
    type: 'string',
    default: 'nothing',
    allowed: ['nothing', 'read', 'all'],
    acts: true,
    meaning: 'what an access token may do that has none of these scopes',
  },
  {
    path: 'security.accessTokens.requireType',
    type: 'boolean',
    default: false,
    acts: true,
    meaning:
      'accept only tokens whose header says at+jwt (RFC 9068); turn on where the issuer does that. Otherwise tokens ' +
      'of other kinds, such as ID tokens, are recognised by their claims',
  },
  {
    path: 'security.proxyLogin.enabled',
    type: 'boolean',
    default: false,
    acts: true,
    meaning:
      'let a proxy in front of this server, such as oauth2-proxy or Authelia, log users in by headers; needs ' +
      'security.proxyLogin.trustedProxies',
  },
  {
    path: 'security.proxyLogin.trustedProxies',
    type: 'strings',
    default: [],
    acts: true,
    meaning:
      'addresses or networks (10.0.0.5, 10.0.0.0/28) of the proxies whose headers log users in, or hand client ' +
      'certificates on; whoever connects from there can be any user, so name as few as possible and set a secret',
  },
  {
    path: 'security.proxyLogin.secret',
    type: 'string',
    default: '',
    secret: true,
    acts: true,
    meaning: 'a text that the proxy sends in the header security.proxyLogin.secretHeader; empty: its address is enough',
  },
  {
    path: 'security.proxyLogin.secretHeader',
    type: 'string',
    default: 'X-Quire-Proxy-Secret',
    acts: true,
    meaning: 'header with the secret of the proxy',
  },
  {
    path: 'security.proxyLogin.name',
    type: 'string',
    default: 'Single sign-on',
    acts: true,
    meaning: 'name of this login on the login page',
  },
  {
    path: 'security.proxyLogin.userHeader',
    type: 'string',
    default: '',
    acts: true,
    meaning:
      'header with the user name, needed for this login: Remote-User of Authelia, X-Forwarded-User or ' +
      'X-Auth-Request-User of oauth2-proxy, X-authentik-username of authentik. The proxy must remove what clients ' +
      'send in it',
  },
  {
    path: 'security.proxyLogin.emailHeader',
    type: 'string',
    default: '',
    acts: true,
    meaning: 'header with the mail address, such as Remote-Email, which is only shown; empty for none',
  },
  {
    path: 'security.proxyLogin.groupsHeader',
    type: 'string',
    default: '',
    acts: true,
    meaning:
      'header with the groups, such as Remote-Groups, for security.oauth2.groupRoles and groupTeams; empty for none. ' +
      'Set it only if the proxy removes what clients send in it',
  },
  {
    path: 'security.proxyLogin.groupsSeparator',
    type: 'string',
    default: ',',
    acts: true,
    meaning: 'sign between two groups; authentik uses |',
  },
  {
    path: 'security.proxyLogin.secondFactor',
    type: 'boolean',
    default: false,
    acts: true,
    meaning: 'the proxy asks every user for a second factor; otherwise accounts that have one here cannot log in by it',
  },
  {
    path: 'security.proxyLogin.logoutUrl',
    type: 'string',
    default: '',
    format: 'url',
    acts: true,
    meaning:
      'address at which the browser logs out at the proxy too, such as https://pdf.example.org/oauth2/sign_out; ' +
      'empty: only the session here ends, and the next login needs no password',
  },
  {
    path: 'security.proxyLogin.openAccountsByName',
    type: 'boolean',
    default: false,
    acts: true,
    meaning:
      'let the proxy log in to accounts that exist already, also those with a password, by their user name; turn on ' +
      'only where users cannot choose their name at the proxy',
  },
  {
    path: 'security.clientCertificates.header',
    type: 'string',
    default: '',
    acts: true,
    meaning:
      'header in which a proxy of security.proxyLogin.trustedProxies hands on the certificate of a TLS client, such ' +
      'as Client-Cert (RFC 9440), X-Forwarded-Client-Cert (Envoy) or ssl-client-cert (nginx); empty: none is accepted',
  },
  {
    path: 'security.clientCertificates.caFile',
    type: 'string',
    default: '',
    fileOnly: true,
    acts: true,
    meaning: 'PEM file with the authorities that issue client certificates; they are checked here too',
  },
  {
    path: 'security.clientCertificates.accounts',
    type: 'strings',
    default: [],
    acts: true,
    meaning:
      'accounts of client certificates, as fingerprint:<SHA-256>=username, or dns:, email: or uri: and a name of the ' +
      'certificate (subject alternative names)',
  },
] as const satisfies readonly KnownKey[];
