export { HeaderRefused, hasHeader, headerOf, headerSetting, TrustedProxy } from './trusted-proxy.js';
