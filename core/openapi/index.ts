export * from './operation-docs.js';
export { exampleFilesPlugin } from './form-examples.js';
export * from './swagger.js';
export type { OpenApiDocument } from './complete-document.js';
