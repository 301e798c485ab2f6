export * from './operation-docs.js';
export { HOLDS } from './endpoint-answers.js';
export { exampleFilesPlugin } from './form-examples.js';
export * from './swagger.js';
