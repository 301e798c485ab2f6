export { createIdentity } from './create-identity.js';
export { applyGroups, groupRulesOf, type GroupRules } from './group-rules.js';
export { offeredProviderShape } from './endpoints/offered-provider-shape.js';
export { IdentityRecords } from './identity-records.js';
export { LoginProviders } from './login-providers.js';
export { SignInRefused, type IdentityProvider, type SubjectIssuer } from './model.js';
export { createProxyLogin, proxyLogoutUrl } from './proxy/create-proxy-login.js';
export { createMachineLogin } from './machines/create-machine-login.js';
