import type { Settings } from '../settings/index.js';
import { groupRulesOf } from './group-rules.js';
import type { LoginProviders } from './login-providers.js';
import type { Protocol } from './model.js';
import type { SignInRules } from './sign-in.js';

/** The rules of each protocol, from the settings. Throws SETTINGS_INVALID. */
export function rulesOf(settings: Settings, { list }: LoginProviders): (protocol: Protocol) => SignInRules {
  const common = (base: SignInRules['base']) => ({
    base,
    autoCreate: settings.get(`${base}.autoCreateUser`),
    blockRegistration: settings.get(`${base}.blockRegistration`),
    requireSecondFactor: settings.get(`${base}.requireSecondFactor`),
    groups: groupRulesOf(settings, base),
  });
  const oauth2: SignInRules = {
    ...common('security.oauth2'),
    type: 'oauth2',
    binds: ['oauth2'],
    factorsIn: 'claim amr',
    acceptUnverified: settings.get('security.oauth2.acceptUnverifiedEmail'),
  };
  const saml2: SignInRules = {
    ...common('security.saml2'),
    type: 'saml2',
    // `SSO` is stored as oauth2: where SAML is the only way, it means SAML.
    binds: list.every(({ protocol }) => protocol === 'saml') ? ['saml2', 'oauth2'] : ['saml2'],
    factorsIn: 'AuthnContextClassRef',
    acceptUnverified: false,
  };
  const proxy: SignInRules = { ...oauth2, factorsIn: 'security.proxyLogin.secondFactor', acceptUnverified: true };
  const special: Partial<Record<Protocol, SignInRules>> = { saml: saml2, proxy };
  return (protocol) => special[protocol] ?? oauth2;
}
