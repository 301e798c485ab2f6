export { type HttpDeps } from './deps.js';
export { createHttpServer } from './server.js';
