export * from './create-server.js';
export type { ServerOptions } from './create-services.js';
