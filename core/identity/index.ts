export { createIdentity } from './create-identity.js';
export { LoginProviders } from './login-providers.js';
export { createProxyLogin, proxyLogoutUrl } from './proxy/create-proxy-login.js';
export { createMachineLogin } from './machines/create-machine-login.js';
