export * from './create-server.js';
