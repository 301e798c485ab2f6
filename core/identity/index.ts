export { createIdentity } from './create-identity.js';
export { LoginProviders } from './login-providers.js';
