export * from './operation-docs.js';
export { exampleFilesPlugin } from './form-examples.js';
export * from './swagger.js';
