export * from './create-server.js';
export { coreEndpoints } from './core-endpoints.js';
