export { createIdentity } from './create-identity.js';
export { applyGroups, groupRulesOf, roleOf, type GroupRules } from './group-rules.js';
export { IdentityRecords } from './identity-records.js';
export { LoginProviders } from './login-providers.js';
