export { type HttpDeps } from './deps.js';
export { type AdminParts, type EndpointParts } from './endpoint-deps.js';
export { createHttpServer } from './server.js';
