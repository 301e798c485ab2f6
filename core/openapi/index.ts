export * from './operation-docs.js';
export * from './swagger.js';
export type { OpenApiDocument } from './complete-document.js';
