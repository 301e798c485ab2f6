import type { Settings } from '../settings/index.js';
import { groupRulesOf } from './group-rules.js';
import type { LoginProviders } from './login-providers.js';
import type { Protocol } from './model.js';
import type { SignInRules } from './sign-in.js';

/** While no provider of a protocol is set up, nobody logs in with one; its rules may be wrong. */
const nobody: SignInRules = {
  base: 'security.oauth2',
  type: 'oauth2',
  binds: [],
  factorsIn: '',
  autoCreate: false,
  blockRegistration: true,
  acceptUnverified: false,
  requireSecondFactor: true,
  groups: { roles: [], teams: [] },
};

/** Returns which accounts logins find and create, by protocol. Throws SETTINGS_INVALID. */
export function rulesOf(
  settings: Settings,
  { list }: Pick<LoginProviders, 'list'>,
): (protocol: Protocol) => SignInRules {
  const used = new Set(list.map(({ protocol }) => protocol));
  const oauth2 = used.has('oidc') || used.has('github') ? oauth2RulesOf(settings) : nobody;
  const saml2 = used.has('saml') ? saml2RulesOf(settings, used) : nobody;
  return (protocol) => (protocol === 'saml' ? saml2 : oauth2);
}

/** The rules of OpenID Connect and GitHub. Throws SETTINGS_INVALID. */
export function oauth2RulesOf(settings: Settings): SignInRules {
  return {
    ...common(settings, 'security.oauth2'),
    type: 'oauth2',
    binds: ['oauth2'],
    factorsIn: 'claim amr',
    acceptUnverified: settings.get('security.oauth2.acceptUnverifiedEmail'),
  };
}

/** The rules of users whom a proxy names: it vouches for all of them. Throws SETTINGS_INVALID. */
export function proxyRulesOf(settings: Settings): SignInRules {
  return { ...oauth2RulesOf(settings), factorsIn: 'security.proxyLogin.secondFactor', acceptUnverified: true };
}

/** The rules of SAML; `used`: protocols of the login. Throws SETTINGS_INVALID. */
export function saml2RulesOf(settings: Settings, used: ReadonlySet<Protocol>): SignInRules {
  return {
    ...common(settings, 'security.saml2'),
    type: 'saml2',
    // `SSO` is stored as oauth2: where SAML is the only way, it means SAML.
    binds: used.size === 1 ? ['saml2', 'oauth2'] : ['saml2'],
    factorsIn: 'AuthnContextClassRef',
    acceptUnverified: false,
  };
}

function common(settings: Settings, base: SignInRules['base']) {
  return {
    base,
    autoCreate: settings.get(`${base}.autoCreateUser`),
    blockRegistration: settings.get(`${base}.blockRegistration`),
    requireSecondFactor: settings.get(`${base}.requireSecondFactor`),
    groups: groupRulesOf(settings, base),
  };
}
