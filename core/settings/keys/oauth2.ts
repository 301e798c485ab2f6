import type { KnownKey } from '../known-key.js';

/**
 * The keys of one provider that has a preset (`core/identity/presets.ts`). What differs between them is the address,
 * the scopes that are asked for, and the claim that names a user.
 */
function clientKeys<const N extends string, const I extends string, const S extends string, const U extends string>(
  name: N,
  { issuer, scopes, username, address }: { issuer: I; scopes: S; username: U; address: string },
) {
  return [
    {
      path: `security.oauth2.client.${name}.issuer`,
      type: 'string',
      default: issuer,
      format: 'url',
      acts: true,
      meaning: address,
    },
    {
      path: `security.oauth2.client.${name}.clientId`,
      type: 'string',
      default: '',
      acts: true,
      meaning: `client id at ${name}; empty: users cannot log in there`,
    },
    {
      path: `security.oauth2.client.${name}.clientSecret`,
      type: 'string',
      default: '',
      secret: true,
      sentTo: [`security.oauth2.client.${name}.issuer`],
      acts: true,
      meaning: `client secret at ${name}; empty for a public client`,
    },
    {
      path: `security.oauth2.client.${name}.scopes`,
      type: 'string',
      default: scopes,
      acts: true,
      meaning: `scopes asked from ${name}, comma separated`,
    },
    {
      path: `security.oauth2.client.${name}.useAsUsername`,
      type: 'string',
      default: username,
      acts: true,
      meaning: 'claim used as user name',
    },
  ] as const satisfies readonly KnownKey[];
}

const usual = { issuer: '', scopes: 'openid, profile, email', username: 'preferred_username' } as const;

/** Login with other servers by OpenID Connect, and by OAuth 2.0 with GitHub. */
export const oauth2Keys = [
  {
    path: 'security.oauth2.enabled',
    type: 'boolean',
    default: false,
    acts: true,
    meaning: 'login with providers of OpenID Connect and with GitHub; needs security.enableLogin',
  },
  {
    path: 'security.oauth2.debugLogging',
    type: 'boolean',
    default: false,
    acts: true,
    meaning: 'log what a provider says about users who log in (personal data)',
  },
  ...clientKeys('keycloak', { ...usual, address: 'issuer of the realm: https://<host>/realms/<realm>' }),
  ...clientKeys('google', {
    issuer: 'https://accounts.google.com',
    scopes: 'email, profile',
    username: 'email',
    address: 'issuer of Google',
  }),
  ...clientKeys('github', {
    issuer: 'https://github.com',
    scopes: 'read:user',
    username: 'login',
    address: 'GitHub, or the address of a GitHub Enterprise Server',
  }),
  ...clientKeys('entra', {
    ...usual,
    address: 'issuer of the Microsoft Entra tenant: https://login.microsoftonline.com/<tenant id>/v2.0',
  }),
  ...clientKeys('authentik', { ...usual, address: 'issuer of the application: https://<host>/application/o/<slug>/' }),
  ...clientKeys('authelia', { ...usual, address: 'address of Authelia' }),
  ...clientKeys('zitadel', { ...usual, address: 'address of the Zitadel instance' }),
  {
    path: 'security.oauth2.issuer',
    type: 'string',
    default: '',
    format: 'url',
    acts: true,
    meaning: 'issuer of any other provider of OpenID Connect, whose metadata is read from it (discovery)',
  },
  {
    path: 'security.oauth2.clientId',
    type: 'string',
    default: '',
    acts: true,
    meaning: 'client id at that provider',
  },
  {
    path: 'security.oauth2.clientSecret',
    type: 'string',
    default: '',
    secret: true,
    sentTo: ['security.oauth2.issuer'],
    acts: true,
    meaning: 'client secret at that provider; empty for a public client',
  },
  {
    path: 'security.oauth2.autoCreateUser',
    type: 'boolean',
    default: true,
    acts: true,
    meaning: 'create an account at the first login with a provider',
  },
  {
    path: 'security.oauth2.blockRegistration',
    type: 'boolean',
    default: false,
    acts: true,
    meaning: 'only users whom an administrator has entered may log in with a provider',
  },
  {
    path: 'security.oauth2.useAsUsername',
    type: 'string',
    default: 'email',
    acts: true,
    meaning: 'claim used as user name',
  },
  {
    path: 'security.oauth2.scopes',
    type: 'string',
    default: 'openid, profile, email',
    acts: true,
    meaning: 'scopes asked, comma separated',
  },
  {
    path: 'security.oauth2.provider',
    type: 'string',
    default: 'google',
    acts: true,
    meaning: 'name of that provider, shown to users and in lower case a part of the addresses of the login',
  },
  {
    path: 'security.oauth2.acceptUnverifiedEmail',
    type: 'boolean',
    default: false,
    acts: true,
    meaning:
      'accept a mail address as user name that the provider does not vouch for (email_verified); only where users ' +
      'cannot choose it themselves',
  },
  {
    path: 'security.oauth2.requireSecondFactor',
    type: 'boolean',
    default: false,
    acts: true,
    meaning: 'refuse logins whose ID token does not say that a second factor was used (claim amr)',
  },
  {
    path: 'security.oauth2.groupsClaim',
    type: 'string',
    default: 'groups',
    acts: true,
    meaning: 'claim with the groups of a user; realm_access.roles for roles of a Keycloak realm',
  },
  {
    path: 'security.oauth2.groupRoles',
    type: 'strings',
    default: [],
    acts: true,
    meaning:
      'roles by group, such as quire-admins=ROLE_ADMIN, the strongest first; with entries, the role of a user is set ' +
      'at each login, to security.defaultRole without such a group; accounts with a password keep theirs',
  },
  {
    path: 'security.oauth2.groupTeams',
    type: 'strings',
    default: [],
    acts: true,
    meaning:
      'teams by group, such as accounting=Accounting; with entries, the team of a user is set at each login, and ' +
      'made if it does not exist',
  },
] as const satisfies readonly KnownKey[];
