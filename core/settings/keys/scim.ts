import type { KnownKey } from '../known-key.js';

/** Accounts and groups that an identity provider keeps up to date (SCIM 2.0). */
export const scimKeys = [
  {
    path: 'scim.enabled',
    type: 'boolean',
    default: false,
    acts: true,
    meaning: 'let an identity provider create, change and disable accounts at /scim/v2; needs security.enableLogin',
  },
  {
    path: 'scim.token',
    type: 'string',
    default: '',
    format: 'bearer-token',
    secret: true,
    acts: true,
    meaning:
      'bearer token of the identity provider for /scim/v2, at least 32 characters; empty: every call is ' + 'rejected',
  },
  {
    path: 'scim.authenticationType',
    type: 'string',
    default: 'oauth2',
    allowed: ['oauth2', 'saml2'],
    acts: true,
    meaning: 'how accounts made by SCIM log in',
  },
  {
    path: 'scim.externalIdIsSubjectOf',
    type: 'string',
    default: '',
    acts: true,
    meaning:
      'id of the login provider whose subject (claim sub of OpenID Connect, NameID of SAML) is sent as externalId: ' +
      'accounts are linked to it at once; empty: the first login with the name links it',
  },
  {
    path: 'scim.groupRoles',
    type: 'strings',
    default: [],
    acts: true,
    meaning:
      'roles by group of SCIM, such as quire-admins=ROLE_ADMIN, the strongest first; with entries, the role follows ' +
      'the groups, and the attribute roles is ignored',
  },
  {
    path: 'scim.groupTeams',
    type: 'strings',
    default: [],
    acts: true,
    meaning:
      'teams by group of SCIM, such as accounting=Accounting, the first that matches counts; with entries, the team ' +
      'follows the groups, and is made if it does not exist',
  },
] as const satisfies readonly KnownKey[];
